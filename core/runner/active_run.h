// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>

#include "core/model/languages.h"
#include "core/runner/inbox.h"
#include "core/runner/run_progress.h"

namespace wb {

struct SanitizerFinding;

/// The run that has the device: its events on their way to the listener, its log's bounds, its clock.
class ActiveRun {
 public:
  using Clock = std::chrono::steady_clock;

  ActiveRun(QueuedRun queued, const RunnerOptions& options);

  [[nodiscard]] Runner::RunId id() const { return queued_.id; }
  [[nodiscard]] bool needsPython() const { return needsPython_; }
  [[nodiscard]] const std::string& sanitizer() const { return queued_.job.sanitizer; }
  /// The job as the next worker gets it.
  Job handOver(const std::string& device);

  /// An event of the worker; Finished is not among them. Comes back with what is wrong with it when no worker
  /// of ours would say it now, and then it is not passed on: the kernel spoke in its place.
  std::string take(Event event);
  void fail(const Error& error);  ///< of the whole run
  /// Text from the worker's standard error.
  void takeErrors(std::string text);
  void say(const std::string& text);  ///< a log line of the runner's own
  /// What compute-sanitizer wrote about a worker of this run that has ended.
  void takeSanitizerLog(const std::string& content);
  /// What the loss of its worker means.
  void lose(const RunProgress::Loss& loss);
  /// Its worker is done with the kernel under way and leaves: the run goes on with the next one.
  void leaveKernel();
  /// What the loss of a worker without a run means to this one.
  void loseIdle(const RunProgress::Loss& loss);
  /// Says Finished, after what was still held back. Nothing may follow.
  void finish(Outcome outcome);

  [[nodiscard]] const RunProgress& progress() const { return progress_; }
  /// Tells watchers how long the case under way has taken, once a second when it takes long.
  void tellOfLong(Clock::time_point now);
  [[nodiscard]] Clock::time_point nextTelling() const { return nextTelling_; }
  /// This process stood still for so long: nobody's time.
  void forgive(Clock::duration gap);
  /// When the step under way must have ended.
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
  [[nodiscard]] int losses() const { return losses_; }
  [[nodiscard]] bool heard() const { return heard_; }  ///< a worker said something since it got the job

 private:
  void emit(const Event& event) { queued_.listener(queued_.id, event); }
  [[nodiscard]] std::int64_t room(std::int64_t kept) const;
  void log(Log line, std::int64_t& kept);
  void restartClock();
  [[nodiscard]] double seconds() const;  ///< since the run began
  [[nodiscard]] std::uint32_t kernelOf(const SanitizerFinding& finding) const;

  QueuedRun queued_;
  bool needsPython_ = wb::needsPython(queued_.job);  ///< asked often, and it reads the sources
  RunProgress progress_;
  Clock::time_point started_ = Clock::now(), deadline_;
  // Of the step under way: what each purse has spent, which one pays now, and since when.
  std::array<Clock::duration, 4> spent_{};
  RunProgress::Purse purse_ = RunProgress::Purse::common;
  std::uint64_t step_ = 0;
  Clock::time_point since_ = Clock::now();
  Clock::time_point nextTelling_;  ///< of what takes long
  bool toldFirstCall_ = false;
  std::int64_t keptOfEvents_ = 0, keptOfErrors_ = 0, dropped_ = 0;
  std::string heldErrors_;       ///< an unfinished line
  std::uint32_t kernel_ = 0;     ///< that a worker last spoke of
  std::set<std::string> found_;  ///< messages of the sanitizer that were passed on
  std::size_t findings_ = 0;
  int losses_ = 0, asides_ = 0;
  bool handedOver_ = false, heard_ = false, heardEver_ = false;
};

}  // namespace wb
