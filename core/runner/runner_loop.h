// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runner/active_run.h"
#include "core/runner/inbox.h"
#include "core/runner/worker_process.h"

namespace wb {

/// What the runner's thread does: starts workers, keeps a spare, gives them runs, watches them, buries them.
/// Everything here belongs to that thread; it waits only in poll.
class RunnerLoop {
 public:
  RunnerLoop(Launcher& launcher, std::string device, const RunnerOptions& options, Inbox& inbox);
  /// Until the inbox says stop; then every run has ended and every worker is gone.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Worker {
    WorkerProcess process;
    bool welcome = false;           ///< greeted, and fits
    Clock::time_point helloBefore;  ///< until then it must have greeted
    std::string sanitizer{};        ///< tool that it runs under; such a worker does one run
    std::filesystem::path sanitizerLog{};
  };
  using Workers = std::vector<std::unique_ptr<Worker>>;

  // Runs (runner_loop.cpp)
  void readMail();
  void beginNextRun();
  void choosePython();
  void assign();
  void cancel(Runner::RunId id);
  void advanceCancel();
  void finishRun(Outcome outcome);
  void failRun(const Error& error, Outcome outcome);
  void tellStatus();
  [[nodiscard]] int pollLimit() const;
  void waitForSomething();
  void forgive(Clock::duration gap);
  void shutDown();

  // Workers (runner_workers.cpp)
  void startWorkers();
  void launchWorker();
  [[nodiscard]] bool mayStartSpare() const;
  [[nodiscard]] bool isStarting() const;
  [[nodiscard]] std::size_t readyWorkers() const;  ///< greeted and without a run
  [[nodiscard]] bool owns(const Worker* worker) const;
  void serviceAll();
  void service(Worker& worker);
  void take(Worker& worker, const Received& received);
  void takeHello(Worker& worker, const Hello& hello);
  void watch();
  void watch(Worker& worker, Clock::time_point now);
  void ping();

  // Losses (runner_workers.cpp)
  void lose(Worker& worker, RunProgress::Loss loss);
  void loseAtStart(Worker& worker, const std::string& reason, int weight = 1);
  /// It asked to be replaced, because a kernel left something behind in it: no loss.
  void replace(Worker& worker);
  void dismiss(Worker& worker);  ///< kills it, and reaps it later
  void giveUp(const Error& error);

  // Under compute-sanitizer (runner_sanitizer.cpp)
  /// A worker whose messages are complete only once it has ended, and what follows then.
  struct Parting {
    std::optional<Outcome> finished;  ///< the run's end; else the worker was lost
    RunProgress::Loss loss;           ///< where it was
    Clock::time_point before;         ///< then it is ended
  };
  [[nodiscard]] std::string wantedSanitizer() const { return current_ ? current_->sanitizer() : ""; }
  [[nodiscard]] bool fits(const Worker& worker) const { return worker.sanitizer == wantedSanitizer(); }
  bool part(std::optional<Outcome> finished, const RunProgress::Loss& loss);
  void concludeParting();
  void readSanitizerLog(const Worker& worker);
  void delayNextLaunch();
  void reap();

  Launcher& launcher_;
  const std::string device_;
  const RunnerOptions options_;
  Inbox& inbox_;

  bool wanted_ = false, stopping_ = false;
  bool python_ = false;  ///< a job needed Python: from then on every worker has it
  std::deque<QueuedRun> queue_;
  std::unique_ptr<ActiveRun> current_;
  Worker* busy_ = nullptr;  ///< has the current run
  int cancelStep_ = 0;      ///< 0: not cancelled, 1: asked, 2: sent SIGTERM
  Clock::time_point nextCancelStep_;
  Clock::time_point lastTurn_ = Clock::now();

  Workers workers_;
  Workers dying_;  ///< killed, not yet reaped: a process may take its time to go, and nobody waits for it
  int failedStarts_ = 0;                     ///< in a row, before a greeting
  int idleLosses_ = 0;                       ///< since the last good job
  std::vector<RunProgress::Loss> idleLost_;  ///< no run has been told of them yet
  Clock::time_point nextLaunch_, nextPing_;
  std::optional<Error> failure_;
  bool spareGivenUp_ = false;
  int restarts_ = 0;
  Target target_;
  std::optional<Parting> parting_;  ///< of busy_
  std::optional<WorkerStatus> told_;
};

}  // namespace wb
