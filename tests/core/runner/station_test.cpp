// SPDX-License-Identifier: Apache-2.0
// One place of a runner, driven by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "core/model/log_sources.h"
#include "core/runner/station.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using testing::HasSubstr;

/// What happened at a station whose worker ends as one that has not heard its runner, after this process has
/// stood still for so long.
std::vector<Event> afterStandstill(std::chrono::seconds gap, std::unique_ptr<Launcher> launcher) {
  std::vector<Event> events;
  const RunnerOptions options = quickOptions();
  WorkerPlace place{std::move(launcher), "cuda:0"};
  ActiveRun run(
      {1, fakeJob({"--mode=unheard:3"}, false), [&](Runner::RunId, const Event& e) { events.push_back(e); }},
      options, {{"", "cuda:0"}});
  RunnerState state{.wanted = true, .python = false, .queueIsEmpty = true, .run = &run};
  Station station(0, place, options, state);
  const auto turnUntil = [&](const auto& is) {
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
         !is() && std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(std::chrono::milliseconds{2})) {
      station.startWorkers();
      station.service();
    }
  };
  turnUntil([&] { return station.isReady(); });
  const auto job = run.handOver(0);
  if (!job || !station.assign(*job)) return {};
  station.forgive(gap);
  turnUntil([&] { return !station.isBusy(); });
  state.wanted = false;
  state.run = nullptr;
  station.dismissAll();
  station.abandon();
  return events;
}

TEST(Station, AWorkerOnANodeThatEndedWhileTheRunnerStoodStillIsNoFaultOfTheKernel) {
  const auto losses = [](const std::vector<Event>& events) {
    return std::ranges::count_if(events, [](const Event& e) { return is<WorkerLost>(e); });
  };
  const auto said = [](const std::vector<Event>& events) {
    std::string text;
    for (const Event& event : events)
      if (const auto* line = std::get_if<Log>(&event); line != nullptr && line->source == placeSource)
        text += line->text;
    return text;
  };
  const auto stood = afterStandstill(std::chrono::seconds{45}, std::make_unique<OnNodes>());
  EXPECT_EQ(losses(stood), 0);
  EXPECT_THAT(said(stood), HasSubstr("stood still for so long that the worker ended itself"));
  // Else a kernel could end its worker in this way, and be tried again as often as it likes.
  EXPECT_EQ(losses(afterStandstill(std::chrono::seconds{4}, std::make_unique<OnNodes>())), 1);
  // A worker here sees that the runner was stopped.
  EXPECT_EQ(losses(afterStandstill(std::chrono::seconds{45}, fakeLauncher({}))), 1);
}

}  // namespace
}  // namespace wb
