// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/service/service.h"

namespace wb {

/// A service in memory whose runs the test steps by hand: nothing starts, speaks or ends unless the test says
/// so. Ids and times are the same in every test: the first run is fakeRunId(1), and the clock stands still.
/// All functions may be called from any thread.
class FakeService final : public Service {
 public:
  /// What a test wants done with each run as soon as it was accepted, before submit() returns. It may call
  /// everything here.
  using OnSubmit = std::function<void(FakeService& service, const std::string& id)>;

  explicit FakeService(std::vector<std::string> devices = {"cpu"});

  // What the test does.
  void onSubmit(OnSubmit action);
  /// From now on every submission is refused so; nothing: none is.
  void refuseAll(std::optional<Refusal> refusal);
  /// The run is on a device.
  void start(const std::string& id, const std::string& device = "cpu");
  /// The run's worker says something.
  void say(const std::string& id, Event event);
  /// The run is over. Says Finished first where that was not said.
  void end(const std::string& id, RunState state = RunState::finished, const std::string& reason = {});
  /// start(), say() for each event, end().
  void answer(const std::string& id, const std::vector<Event>& events);
  /// The events of a run are no longer kept before this number.
  void dropEvents(const std::string& id, std::uint64_t before);
  /// Nothing is kept of the runs that are over.
  void forgetEnded();
  /// As of a run that ended long ago.
  void forgetEvents(const std::string& id);
  void setDevice(std::size_t number, DeviceState state);
  void setCounts(const ServiceCounts& counts);
  /// Seconds since 1970; the clock stands at 1 800 000 000 at first.
  void setClock(double now);

  // What the test asks.
  /// Waits until that many runs were submitted, and gives their ids in order.
  std::vector<std::string> waitForRuns(std::size_t count);
  /// Waits until a run is over.
  RunStatus waitForEnd(const std::string& id);
  [[nodiscard]] Submission submission(const std::string& id) const;
  [[nodiscard]] bool isDraining() const;

  // Service
  std::variant<std::string, Refusal> submit(Submission submission) override;
  bool cancel(const std::string& id, const std::string& reason) override;
  [[nodiscard]] std::optional<RunStatus> status(const std::string& id) const override;
  [[nodiscard]] std::vector<RunStatus> runs(std::size_t most) const override;
  [[nodiscard]] std::shared_ptr<const Report> report(const std::string& id) const override;
  [[nodiscard]] EventPage events(const std::string& id, std::uint64_t first,
                                 std::chrono::milliseconds wait) const override;
  std::optional<RunStatus> waitFor(const std::string& id, std::chrono::milliseconds wait,
                                   const std::function<bool()>& isWanted) override;
  [[nodiscard]] ServiceCounts counts() const override;
  [[nodiscard]] KeptRuns kept() const override;
  [[nodiscard]] std::vector<DeviceState> devices() const override;
  void drain(std::chrono::milliseconds wait) override;
  void warmUp(const std::function<std::optional<Job>(const std::string& device)>& /*jobFor*/) override {}

 private:
  struct Run {
    Submission submission;
    RunStatus status;
    Report report;
    std::uint64_t firstEvent = 0;
    std::vector<std::shared_ptr<const Event>> events;
    bool isForgotten = false;
  };

  [[nodiscard]] const Run* find(const std::string& id) const;
  Run& at(const std::string& id);
  [[nodiscard]] RunStatus statusOf(const Run& run) const;
  void take(Run& run, Event event);
  void finish(Run& run, RunState state, const std::string& reason);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  /// In the order of submission.
  std::vector<std::unique_ptr<Run>> runs_;
  /// How many were accepted, those included that are forgotten.
  std::size_t accepted_ = 0;
  std::map<std::pair<std::string, std::string>, std::string> keys_;
  std::vector<DeviceState> devices_;
  OnSubmit onSubmit_;
  std::optional<Refusal> refusal_;
  ServiceCounts counts_;
  double now_ = 1'800'000'000;
  bool isDraining_ = false;
};

/// The id of the run that was submitted as the Nth, counted from 1.
[[nodiscard]] std::string fakeRunId(std::size_t number);

}  // namespace wb
