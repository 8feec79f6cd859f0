// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/service/service.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {

/// Long enough for anything that happens at all.
inline constexpr std::chrono::seconds patience{60};

/// A runner of the fake worker, which does what its arguments say where a kernel says nothing else.
inline std::unique_ptr<Runner> fakeRunnerWith(const std::string& device,
                                              const std::vector<std::string>& arguments) {
  RunnerOptions options = quickOptions();
  options.warmSpare = false;
  return std::make_unique<Runner>(fakeLauncher(arguments), device, options);
}
inline std::unique_ptr<Runner> fakeRunner(const std::string& device) {
  return fakeRunnerWith(device, {});
}

/// What somebody submits whose kernel does what the fake worker's arguments say (tests/fakes, --help). No
/// limit but its deadline ends it.
inline Submission fakeSubmission(const std::string& client = "ada", const std::string& arguments = {}) {
  Submission submission;
  submission.job = fakeJob({"--cases=2 " + arguments}, false);
  submission.job.limits.caseSeconds = submission.job.limits.firstCallSeconds = 3600;
  submission.job.device = "auto";
  submission.client = client;
  return submission;
}
/// One that runs until somebody ends it.
inline Submission endless(const std::string& client = "ada") {
  return fakeSubmission(client, "--mode=hang:0");
}

/// A service over fake workers, in a folder that outlives it.
class ServiceTest : public testing::Test {
 protected:
  void SetUp() override { options_.folder = folder_.path(); }

  /// Ends the service that there was, and opens one.
  void open(const std::vector<std::string>& devices = {"cpu"},
            const Service::MakeRunner& makeRunner = fakeRunner) {
    service_.reset();
    options_.tell = [told = told_, also = onTell_](const std::string& text) {
      if (also) also(text);
      const std::lock_guard lock(told->first);
      told->second += text + "\n";
    };
    auto opened = Service::open(options_, devices, makeRunner);
    ASSERT_TRUE(opened) << opened.error().text;
    service_ = *std::move(opened);
  }
  std::string submit(Submission submission) {
    const auto answer = service_->submit(std::move(submission));
    const Refusal* refusal = std::get_if<Refusal>(&answer);
    EXPECT_EQ(refusal, nullptr) << refusal->error.text;
    return refusal ? "" : std::get<std::string>(answer);
  }
  std::optional<Refusal> refusal(Submission submission) {
    const auto answer = service_->submit(std::move(submission));
    const Refusal* refusal = std::get_if<Refusal>(&answer);
    return refusal ? std::optional(*refusal) : std::nullopt;
  }
  RunStatus end(const std::string& id) {
    const auto status = service_->waitFor(id, patience, {});
    EXPECT_TRUE(status && isOver(status->state)) << id;
    return status.value_or(RunStatus{});
  }
  /// Waits until its worker is at the first case.
  void waitUntilAtWork(const std::string& id) {
    std::uint64_t next = 0;
    while (true) {
      const EventPage page = service_->events(id, next, patience);
      ASSERT_FALSE(page.events.empty()) << "it ended, or said nothing";
      for (const auto& event : page.events)
        if (std::holds_alternative<SideStarted>(*event) || std::holds_alternative<StepStarted>(*event))
          return;
      next = page.next;
    }
  }
  [[nodiscard]] std::string told() const {
    const std::lock_guard lock(told_->first);
    return told_->second;
  }

  TemporaryFolder folder_;
  ServiceOptions options_;
  std::shared_ptr<std::pair<std::mutex, std::string>> told_ =
      std::make_shared<std::pair<std::mutex, std::string>>();
  /// What else is done with what the service tells, from the next open() on.
  std::function<void(const std::string&)> onTell_;
  std::unique_ptr<Service> service_;
};

}  // namespace wb
