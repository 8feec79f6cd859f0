// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/model/languages.h"
#include "core/model/report.h"
#include "core/run/dealer.h"
#include "core/run/job_parts.h"
#include "core/run/losses.h"
#include "core/runner/ahead/ahead_run.h"
#include "core/runner/inbox.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/step_clock.h"

namespace wb {

struct SanitizerFinding;

/// A device and where it is; "" is this machine.
struct Seat {
  std::string host, device;
  /// What people call the target; "" where that is the host.
  std::string title{};
  /// It runs no cases.
  bool compilesAhead = false;
  /// By the device alone, whatever people call it.
  auto operator<=>(const Seat& other) const {
    return std::tie(host, device) <=> std::tie(other.host, other.device);
  }
  bool operator==(const Seat& other) const { return (*this <=> other) == 0; }
};
/// "cuda:1", "cuda:1 of box".
[[nodiscard]] std::string describe(const Seat& seat);

/// The run that is under way: its report so far, what each station works on, its events on their way to the
/// listener, the bounds of its log. Stations are known by their numbers.
class ActiveRun {
 public:
  using Clock = std::chrono::steady_clock;

  /// `seats` has the device of each station.
  ActiveRun(QueuedRun queued, const RunnerOptions& options, std::vector<Seat> seats);

  [[nodiscard]] Runner::RunId id() const { return queued_.id; }
  [[nodiscard]] bool needsPython() const { return needsPython_; }
  [[nodiscard]] bool isSanitized() const { return queued_.job.stages.has(Stage::sanitize); }
  /// The tool of compute-sanitizer that its workers run under; "" none.
  [[nodiscard]] std::string sanitizer() const { return isSanitized() ? queued_.job.sanitizer : ""; }

  /// Its workers stand inside walls. A strict judge does not, since it loads no user code: the walls are
  /// around its guests.
  [[nodiscard]] bool isWalled() const { return queued_.job.sandbox && !queued_.job.strict; }
  /// What they must see of the user's files.
  [[nodiscard]] const std::vector<std::string>& sourcePlaces() const { return sourcePlaces_; }

  // What is handed out.
  /// The job as this station's worker gets it; nothing when there is no work for it now.
  std::optional<Job> handOver(std::size_t station);
  /// Says which stations run no cases.
  void sayWhoCompiles() const { ahead_.sayWhoCompiles(); }
  /// What this station's worker compiles for others; nothing where there is nothing now.
  std::optional<CompileAhead> handOverAhead(std::size_t station);
  /// Whether it has to be asked what this station builds with, and the answer.
  [[nodiscard]] bool asksFacts(std::size_t station) const { return ahead_.asksFacts(station); }
  void takeFacts(std::size_t station, const BuildFacts& facts) { ahead_.know(station, facts); }
  /// What others have built for this station's next piece.
  [[nodiscard]] std::vector<Built> builtFor(std::size_t station, const JobWork& work) const {
    return ahead_.builtFor(station, work);
  }
  /// The station whose worker must be told to stop after the case that it is at, since this one waits for
  /// what it has; nothing where there is none.
  std::optional<std::size_t> recall(std::size_t station);
  /// What this station's worker has found where it is. That cards differ is said once.
  void takeTarget(std::size_t station, const Target& target);
  /// Whether a worker of this station may be started; it may not where it would disturb one that measures
  /// alone, or where it fails.
  [[nodiscard]] bool mayUse(std::size_t station) const;
  /// Whether its work need not be done any more, since the kernel was given up meanwhile, or others have done
  /// it.
  [[nodiscard]] bool isSuperfluous(std::size_t station) const;
  /// Nobody is at work, and nothing is left to hand out.
  bool isOver();
  /// Nothing more is handed out.
  void cancel();
  /// Of the whole run; nothing more is handed out.
  void fail(const Error& error);

  // What comes from a station at work
  /// Takes an event of its worker; Finished is not among these. Returns what is wrong with the event when no
  /// worker that behaves would say it now. Then the event is not passed on, since the kernel spoke in the
  /// worker's place.
  std::string take(std::size_t station, Event event);
  /// Takes what its worker has built for others.
  void takeBuilt(std::size_t station, BuiltFile file) { ahead_.take(station, std::move(file)); }
  /// Takes text from the worker's standard error.
  void takeErrors(std::size_t station, std::string text);
  /// Takes what compute-sanitizer wrote about a worker that has ended.
  void takeSanitizerLog(const std::string& content);
  /// Its worker said that it has finished.
  void endPiece(std::size_t station);
  /// Its worker was told to stop and is done or gone. What it left is for others, unless the run was
  /// cancelled.
  void giveBack(std::size_t station);
  /// Takes the loss of its worker.
  void lose(std::size_t station, const Loss& loss);
  /// Its worker is done with the kernel under way and leaves; the run goes on with the next one.
  void leaveKernel(std::size_t station);

  /// A worker without work was lost.
  void loseIdle(std::size_t station, const Loss& loss);
  /// Its worker was lost by no fault of its own or a kernel's.
  void losePlace(std::size_t station, const std::string& reason);
  /// Whether no worker has fallen silent before at the step that this one's is at; from now on one has.
  bool isFirstSilence(std::size_t station);
  /// No worker can be started at this station; the others go on.
  void noteFailure(std::size_t station, const std::string& why);
  /// Adds a log line of the runner's own.
  void say(const std::string& text);
  /// Says what befell a place where workers run.
  void sayOfPlace(const std::string& text);
  /// Says where workers wait before they can start.
  void sayWaiting(const std::string& where);
  /// Names a target on which the run goes.
  void sayTarget(const std::string& title);
  /// Says what happens on the way to a worker on another machine.
  void sayOfConnection(const std::string& text);
  /// Says Finished, after what was still held back. Nothing may follow.
  void finish(Outcome outcome);
  /// The outcome of a run that is over.
  [[nodiscard]] Outcome outcome() const { return isCut_ ? Outcome::cancelled : Outcome::finished; }

  /// Tells watchers how long cases under way have taken, once a second when they take long.
  void tellOfLong(Clock::time_point now);
  void forgive(Clock::duration gap);
  /// Its worker could not be heard for that long.
  void forgive(std::size_t station, Clock::duration gap);
  [[nodiscard]] Clock::time_point nextTelling() const;
  /// When the step under way must have ended, and what is said then.
  [[nodiscard]] Clock::time_point deadline(std::size_t station) const {
    return isAhead(station) ? ahead_.deadline(station) : desks_[station].clock.deadline();
  }
  [[nodiscard]] std::string overdue(std::size_t station) const;
  [[nodiscard]] bool isTiming() const;
  [[nodiscard]] int losses() const { return losses_; }
  /// Its worker said something since it got the job.
  [[nodiscard]] bool heard(std::size_t station) const { return desks_[station].heard; }

 private:
  /// What one station works on.
  struct Desk {
    StepClock clock;
    /// The name of its device.
    std::string deviceName;
    /// When its worker said that it begins to time the case.
    Clock::time_point timingBegan;
    /// An unfinished line.
    std::string heldErrors;
    /// How long its workers could not be heard.
    Clock::duration notHeard{};
    bool heard = false;
    /// It was said that it gets nothing more.
    bool toldOut = false;
  };

  /// It compiles something for others now.
  [[nodiscard]] bool isAhead(std::size_t station) const { return ahead_.farm().isAtWork(station); }
  void emit(const Event& event) { queued_.listener(queued_.id, event); }
  void record(const Event& event);
  void restartClock(std::size_t station);
  void sayWhoIsOut();
  void flushErrors(std::size_t station);
  void sayWhatWasSanitized();
  [[nodiscard]] std::int64_t room(std::int64_t kept) const;
  void log(Log line, std::int64_t& kept);
  /// The seconds since the run began.
  [[nodiscard]] double seconds() const;
  [[nodiscard]] std::uint32_t kernelOf(const SanitizerFinding& finding) const;

  QueuedRun queued_;
  const std::vector<Seat> seats_;
  const int lossesToQuarantine_;
  /// This is kept because it is asked often and reads the sources.
  bool needsPython_ = wb::needsPython(queued_.job);
  std::vector<std::string> sourcePlaces_ =
      isWalled() ? wb::sourcePlaces(queued_.job) : std::vector<std::string>();
  /// Everything but the log.
  Report report_;
  JobParts parts_;
  AheadRun ahead_;
  Dealer dealer_;
  std::vector<Desk> desks_;
  bool isCancelled_ = false;
  /// Something was left out because the run was cancelled.
  bool isCut_ = false;
  Clock::time_point started_ = Clock::now();
  /// How long this process stood still during the run, and may have read late what its workers said.
  Clock::duration stoodStill_{};
  bool toldFirstCall_ = false, heardEver_ = false, hasBegun_ = false;
  std::int64_t keptOfEvents_ = 0, keptOfErrors_ = 0, dropped_ = 0;
  /// The kernel that a worker last spoke of.
  std::uint32_t kernel_ = 0;
  /// The messages of the sanitizer that were passed on.
  std::set<std::string> found_;
  /// What was found so far, by kernel; said at the end.
  std::map<std::uint32_t, Sanitized> sanitized_;
  int losses_ = 0, asides_ = 0;
  /// The steps at which workers fell silent: the kernel, and the stage and the case where one was under way.
  std::set<std::tuple<std::uint32_t, Stage, std::uint32_t>> silentAt_;
  /// The names of the devices on which cases were run.
  std::set<std::string> deviceNames_;
};

}  // namespace wb
