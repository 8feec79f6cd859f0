// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/runner/active_run.h"
#include "core/runner/inbox.h"
#include "core/runner/station.h"

namespace wb {

/// What the runner's thread does: it takes runs in their order and shares each among the stations. Everything
/// here belongs to that thread, which waits only in poll.
class RunnerLoop {
 public:
  RunnerLoop(std::vector<WorkerPlace>& places, const RunnerOptions& options, Inbox& inbox);
  /// Runs until the inbox says stop; then every run has ended and every worker is gone.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void readMail();
  void choosePython(bool python);
  void beginNextRun();
  void begin(QueuedRun queued);
  void settle();
  void assign();
  void sayTarget(std::size_t station);
  void noticeFailures();
  void leavePython(const Error& error);
  void cancel(Runner::RunId id);
  void cancelWorkers();
  void finishRun(Outcome outcome);
  void tellStatus();
  [[nodiscard]] std::size_t firstThatRuns() const;
  [[nodiscard]] WorkerStatus status() const;
  [[nodiscard]] bool isAnyBusy() const;
  [[nodiscard]] bool isAnyCancelling() const;
  [[nodiscard]] int pollLimit() const;
  void waitForSomething();
  void forgive(Clock::duration gap);
  void shutDown();
  template <class Action>
  void forEach(Action action) {
    for (const auto& station : stations_) action(*station);
  }

  const RunnerOptions options_;
  Inbox& inbox_;
  bool stopping_ = false, isCancelled_ = false;
  /// Whoever made the runner or started it wants Python from the start.
  bool wantsPython_ = false;
  /// A place is on this machine.
  bool isAnyHere_ = false;
  RunnerState state_;
  std::vector<Seat> seats_;
  /// The targets to which the stations belong; "" is this machine.
  std::vector<std::string> titles_;
  /// Those that the current run was told, each once.
  std::set<std::string> toldTargets_;
  std::vector<std::unique_ptr<Station>> stations_;
  /// For each station whether its workers have said something, or ended, since its last turn.
  std::vector<bool> hasNews_;
  /// For each station whether its failure was told in the current run.
  std::vector<bool> toldFailure_;
  std::deque<QueuedRun> queue_;
  std::unique_ptr<ActiveRun> current_;
  Clock::time_point lastTurn_ = Clock::now();
  std::optional<WorkerStatus> told_;
  /// Where workers wait, as the current run was told.
  std::string toldWaiting_;
};

}  // namespace wb
