// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runner/active_run.h"
#include "core/runner/process/worker_process.h"

namespace wb {

/// What every station needs to know of the runner.
struct RunnerState {
  bool wanted = false;       ///< workers are to be there
  bool python = false;       ///< a job needed Python: from then on every worker has it
  bool queueIsEmpty = true;  ///< no run waits behind the current one
  ActiveRun* run = nullptr;  ///< the current one
};

/// One of a runner's places: starts its workers, keeps a spare, gives them work, watches them, buries them.
/// Belongs to the runner's thread and never waits.
class Station {
 public:
  using Clock = std::chrono::steady_clock;

  Station(std::size_t number, WorkerPlace& place, const RunnerOptions& options, const RunnerState& state);

  // Every turn
  void startWorkers();
  void service();  ///< what the workers have said since the last turn
  void watch();    ///< deadlines and silence
  void advanceCancel();
  void ping();
  void reap();

  // Work
  [[nodiscard]] bool isBusy() const { return busy_ != nullptr; }
  [[nodiscard]] bool isReady() const { return busy_ == nullptr && readyWorkers() > 0; }
  /// Gives a ready worker the job; false when it is too large to send.
  bool assign(const Job& job);
  void cancel();                       ///< asks, then terminates, then kills
  void leaveRun();                     ///< the run is over: what its worker left behind is ended
  void dismissAll();                   ///< before workers of another kind are started
  std::vector<Loss> takeIdleLosses();  ///< of which no run has been told yet

  // Failures
  /// Why no worker can be started here; nothing while that is not known.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  void tryAgain();  ///< asked anew: perhaps it was repaired
  [[nodiscard]] const std::string& device() const { return place_.device; }
  [[nodiscard]] WorkerStatus status() const;

  // Waiting
  void appendTo(std::vector<pollfd>& waiting) const;
  [[nodiscard]] Clock::time_point nextTurn() const;
  [[nodiscard]] bool isCancelling() const { return cancelStep_ > 0; }
  void forgive(Clock::duration gap);

  // The end
  void sayBye();
  void awaitEnd(Clock::time_point deadline);
  void abandon();  ///< waits a little for the dead; one that even SIGKILL does not end is left

 private:
  struct Worker {
    WorkerProcess process;
    bool welcome = false;           ///< greeted, and fits
    Clock::time_point helloBefore;  ///< until then it must have greeted
    std::string sanitizer{};        ///< tool that it runs under; such a worker does one piece of work
    std::filesystem::path sanitizerLog{};
  };
  using Workers = std::vector<std::unique_ptr<Worker>>;

  void launchWorker();
  [[nodiscard]] bool mayStartSpare() const;
  [[nodiscard]] bool isStarting() const;
  [[nodiscard]] std::size_t readyWorkers() const;  ///< greeted and without work
  [[nodiscard]] bool owns(const Worker* worker) const;
  template <class Action>
  void forEach(Action action);
  void service(Worker& worker);
  void take(Worker& worker, const Received& received);
  void takeHello(Worker& worker, const Hello& hello);
  void takeEvent(Worker& worker, const Event& event);
  void watch(Worker& worker, Clock::time_point now);
  void endWork(bool stopped);

  void lose(Worker& worker, Loss loss);
  void loseAtStart(Worker& worker, const std::string& reason, int weight = 1);
  /// It asked to be replaced, because a kernel left something behind in it: no loss.
  void replace(Worker& worker);
  void dismiss(Worker& worker);  ///< kills it, and reaps it later
  void giveUp(const Error& error);
  void delayNextLaunch();

  // Under compute-sanitizer (station_sanitizer.cpp)
  /// A worker whose messages are complete only once it has ended, and what follows then.
  struct Parting {
    bool finished = false;     ///< its work is done; else the worker was lost
    bool stopped = false;      ///< it was told to stop
    Loss loss;                 ///< where it was lost
    Clock::time_point before;  ///< then it is ended
  };
  [[nodiscard]] std::string wantedSanitizer() const { return state_.run ? state_.run->sanitizer() : ""; }
  [[nodiscard]] bool fits(const Worker& worker) const { return worker.sanitizer == wantedSanitizer(); }
  bool part(Parting parting);
  void concludeParting();
  void readSanitizerLog(const Worker& worker);

  const std::size_t number_;
  WorkerPlace& place_;
  const RunnerOptions& options_;
  const RunnerState& state_;

  Worker* busy_ = nullptr;        ///< has work of the current run
  std::uint32_t workNumber_ = 0;  ///< of what a worker was given last; its answers carry it
  int cancelStep_ = 0;            ///< 0: not cancelled, 1: asked, 2: sent SIGTERM
  Clock::time_point nextCancelStep_;
  Workers workers_;
  Workers dying_;  ///< killed, not yet reaped: a process may take its time to go, and nobody waits for it
  int failedStarts_ = 0;        ///< in a row, before a greeting
  int idleLosses_ = 0;          ///< since a worker last did something
  std::vector<Loss> idleLost_;  ///< no run has been told of them yet
  Clock::time_point nextLaunch_, nextPing_;
  std::optional<Error> failure_;
  bool spareGivenUp_ = false;
  int restarts_ = 0;
  Target target_;
  std::optional<Parting> parting_;  ///< of busy_
};

}  // namespace wb
