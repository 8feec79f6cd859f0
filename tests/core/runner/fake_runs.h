// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/model/report.h"
#include "core/runner/launcher.h"
#include "core/runner/runner.h"
#include "tests/core/model/steps.h"
#include "tests/losses.h"

namespace wb {

/// A launcher of the fake worker with the given arguments (tests/fakes, --help).
std::unique_ptr<Launcher> fakeLauncher(std::vector<std::string> arguments,
                                       std::chrono::milliseconds helloLimit = std::chrono::seconds{20});

/// Its workers are where a node may be lost without a word.
class OnNodes final : public Launcher {
 public:
  Result<Child> launch(const WorkerWish& wish) override { return inner_->launch(wish); }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }
  [[nodiscard]] std::string silenceMeans() const override { return "its node cannot be heard any more"; }

 private:
  std::unique_ptr<Launcher> inner_ = fakeLauncher({});
};

/// Launches as another one does, and counts.
class CountingLauncher final : public Launcher {
 public:
  CountingLauncher(std::unique_ptr<Launcher> inner, std::shared_ptr<std::atomic<int>> count)
      : inner_(std::move(inner)), count_(std::move(count)) {}
  Result<Child> launch(const WorkerWish& wish) override {
    ++*count_;
    return inner_->launch(wish);
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }

 private:
  std::unique_ptr<Launcher> inner_;
  std::shared_ptr<std::atomic<int>> count_;
};

/// Starts one worker, and refuses to start another.
class OnlyOnce final : public Launcher {
 public:
  explicit OnlyOnce(std::unique_ptr<Launcher> inner) : inner_(std::move(inner)) {}
  Result<Child> launch(const WorkerWish& wish) override {
    if (std::exchange(isUsed_, true)) return Error{Stage::job, "a second worker was asked for"};
    return inner_->launch(wish);
  }
  [[nodiscard]] std::chrono::milliseconds helloLimit() const override { return inner_->helloLimit(); }

 private:
  std::unique_ptr<Launcher> inner_;
  bool isUsed_ = false;
};

/// One or more kernels of eight cases, by the fake's arguments for each; with limits that nothing but a hang
/// meets.
Job fakeJob(std::vector<std::string> kernelArguments = {""}, bool time = true);

/// How many runs in a row have to leave nothing behind: $WARPBENCH_TEST_RUNS, else so many.
int runsInARow(int usual);
/// How many descriptors this process has open.
std::ptrdiff_t openDescriptors();
/// The children of this process, by their numbers.
std::string ownChildren();

/// A short grace for cancelling; a heartbeat that a busy machine does not miss.
RunnerOptions quickOptions();

/// A fake kernel with a mode loses workers on purpose; others must not.
[[nodiscard]] Losses subjectOf(const Job& job);

/// What a runner said about one run. Its end fails the test if it lost a worker that it is not about.
class Recorder {
 public:
  explicit Recorder(const Job& job) : Recorder(job, subjectOf(job)) {}
  Recorder(Job job, Losses subject) : job_(std::move(job)), subject_(subject), report_(startReport(job_)) {}
  Runner::RunId submit(Runner& runner);
  /// Blocks until the run has finished.
  const Report& wait();
  /// Blocks until an event for which `is` holds has come, or the run has ended.
  template <class E>
  void waitFor() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done() || has<E>(); });
  }
  /// Blocks until the events so far are as wanted, or the run has ended.
  void waitForEvents(const std::function<bool(const std::vector<Event>&)>& are) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done() || are(events_); });
  }
  /// Blocks until a log line of this source with these words in it has come, or the run has ended.
  void waitForLog(const std::string& source, const std::string& words = {}) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done() || hasLog(source, words); });
  }
  [[nodiscard]] std::vector<Verdict> verdicts(std::size_t kernel = 0);
  /// All log lines of one source, a line each.
  [[nodiscard]] std::string log(const std::string& source);
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }  ///< after wait()
  [[nodiscard]] double seconds() const { return seconds_; }                   ///< from submit to Finished

 private:
  [[nodiscard]] bool done() const { return report_.outcome != Outcome::running; }
  [[nodiscard]] bool hasLog(const std::string& source, const std::string& words) const {
    return std::any_of(events_.begin(), events_.end(), [&](const Event& event) {
      const Log* line = std::get_if<Log>(&event);
      return line != nullptr && line->source == source && line->text.find(words) != std::string::npos;
    });
  }
  template <class E>
  [[nodiscard]] bool has() const {
    for (const Event& event : events_)
      if (is<E>(event)) return true;
    return false;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Job job_;
  Losses subject_;
  Report report_;
  std::vector<Event> events_;
  std::chrono::steady_clock::time_point start_;
  double seconds_ = 0;
};

/// Statuses of a runner, and waiting for one.
class StatusRecorder {
 public:
  explicit StatusRecorder(Runner& runner);
  /// The first status, from now on or the last one so far, for which `is` holds; gives up after 20 s.
  WorkerStatus waitFor(const std::function<bool(const WorkerStatus&)>& is);
  WorkerStatus waitFor(WorkerStatus::State state);
  /// All that were told so far, in order; at least one.
  std::vector<WorkerStatus> told();

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<WorkerStatus> told;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace wb
