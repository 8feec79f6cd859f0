// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/runner/active_run.h"
#include "core/runner/process/worker_process.h"

namespace wb {

/// What every station needs to know of the runner.
struct RunnerState {
  /// Workers are wanted.
  bool wanted = false;
  /// A job needed Python: from then on every worker has it.
  bool python = false;
  /// No run waits after the current one.
  bool queueIsEmpty = true;
  /// The current run.
  ActiveRun* run = nullptr;
};

/// The walls around a worker.
struct WorkerRoom {
  /// The run that it works for; nothing while it waits for one.
  std::optional<Runner::RunId> run;
  /// What it may read of the user's files.
  std::vector<std::string> readable;
};

/// One of a runner's places: it starts its workers, keeps a spare, gives them work, watches them and ends
/// them. It belongs to the runner's thread and never waits.
class Station {
 public:
  using Clock = std::chrono::steady_clock;

  Station(std::size_t number, WorkerPlace& place, const RunnerOptions& options, const RunnerState& state);

  // Called in every turn.
  void startWorkers();
  /// Takes what the workers have said since the last turn.
  void service();
  /// Looks at deadlines and silence.
  void watch();
  void advanceCancel();
  void ping();
  void reap();

  // Work
  [[nodiscard]] bool isBusy() const { return busy_ != nullptr; }
  [[nodiscard]] bool isReady() const { return busy_ == nullptr && readyWorkers() > 0; }
  /// Gives a ready worker the job; false when it is too large to send.
  bool assign(const Job& job);
  /// The same for what it compiles for others.
  bool assign(const CompileAhead& ahead);
  /// What it builds with, where that is known; else a ready worker is asked.
  [[nodiscard]] const std::optional<BuildFacts>& facts() const { return facts_; }
  void askBuilds();
  /// Asks the worker to stop, then terminates it, then kills it.
  void cancel();
  /// Asks the worker to stop after the case that it is at, which keeps its limits.
  void recall();
  /// The run is over; what its worker left behind is ended.
  void leaveRun();
  /// Called before workers of another kind are started.
  void dismissAll();
  /// The losses of which no run has been told yet.
  std::vector<Loss> takeIdleLosses();

  // Failures
  /// Why no worker can be started here; nothing while that is not known.
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  /// Somebody asks again; perhaps it was repaired.
  void tryAgain();
  [[nodiscard]] const std::string& device() const { return place_.device; }
  [[nodiscard]] WorkerStatus status() const;
  // Parts of it
  [[nodiscard]] WorkerStatus::State state() const;
  [[nodiscard]] int restarts() const { return restarts_; }
  [[nodiscard]] const Target& target() const { return target_; }
  /// Where one of its workers waits before it can start; "" nowhere.
  [[nodiscard]] const std::string& waitsIn() const;
  /// What the loss of a worker's connection means; "" while all can be reached.
  [[nodiscard]] const std::string& lostConnection() const;

  // Waiting
  void appendTo(std::vector<pollfd>& waiting) const;
  [[nodiscard]] Clock::time_point nextTurn() const;
  [[nodiscard]] bool isCancelling() const { return cancelStep_ > 0; }
  void forgive(Clock::duration gap);

  // The end
  void sayBye();
  void awaitEnd(Clock::time_point deadline);
  /// Waits a little for processes that were killed; one that even SIGKILL does not end is left.
  void abandon();

 private:
  struct Worker {
    WorkerProcess process;
    /// It has greeted, and fits.
    bool welcome = false;
    /// It must have greeted by then, or have left the place where it waits.
    Clock::time_point helloBefore;
    /// The tool under which it runs; such a worker does one piece of work.
    std::string sanitizer{};
    std::filesystem::path sanitizerLog{};
    /// The walls inside which it stands; nothing outside of any.
    std::optional<WorkerRoom> room{};
    /// Since when it is held still; nothing while it goes on.
    std::optional<Clock::time_point> heldSince{};
    /// Where it waits before it can start; "" nowhere.
    std::string waitsIn{};
    /// Since when it cannot be reached; nothing while it can.
    std::optional<Clock::time_point> away{};
    /// What the loss of its connection means, in words; holds while it is away.
    std::string awayText{};
    /// Since when it may have ended itself because this process stood still and said nothing to it; nothing
    /// where that cannot be.
    std::optional<Clock::time_point> unheardSince{};
    /// The run was told that its start takes longer.
    bool toldWaiting = false;
    /// It was asked what it builds with.
    bool isAskedBuilds = false;
    /// The keys of what others have built, and it was given.
    std::set<std::string> given{};
  };
  using Workers = std::vector<std::unique_ptr<Worker>>;

  void beginWork();
  void launchWorker(std::optional<WorkerRoom> room);
  [[nodiscard]] bool mayStartSpare() const;
  [[nodiscard]] bool isStarting() const;
  /// How many workers have greeted and have no work.
  [[nodiscard]] std::size_t readyWorkers() const;
  [[nodiscard]] bool owns(const Worker* worker) const;
  [[nodiscard]] bool hasDrawn(std::uint32_t number) const {
    return std::find(workNumbers_.begin(), workNumbers_.end(), number) != workNumbers_.end();
  }
  template <class Action>
  void forEach(Action action);
  void service(Worker& worker);
  void noticeStart(Worker& worker);
  [[nodiscard]] std::string placeLossOf(Worker& worker) const;
  [[nodiscard]] std::string standstillLossOf(Worker& worker) const;
  void take(Worker& worker, const Received& received);
  void takeHello(Worker& worker, const Hello& hello);
  void takeEvent(Worker& worker, const Event& event);
  void takeElsewhere(Worker& worker, const Elsewhere& elsewhere);
  void tellOfConnection(const std::string& text);
  [[nodiscard]] double heartbeatSeconds() const {
    return place_.launcher->heartbeatSeconds().value_or(options_.heartbeatSeconds);
  }
  void watch(Worker& worker, Clock::time_point now);
  void endWork(bool stopped);
  void releaseIdle(Clock::time_point now);
  /// When workers that hold what others wait for are given back unless work comes; never where there are
  /// none.
  [[nodiscard]] Clock::time_point releaseTime() const;
  void leaveAway();

  void lose(Worker& worker, Loss loss);
  void loseAtStart(Worker& worker, const std::string& reason, int weight = 1);
  /// What a worker leaves that was lost by no fault of its own or a kernel's is for others.
  void losePlace(Worker& worker, const std::string& reason);
  /// Replaces a worker that asked for it, because a kernel left something behind in it. This is not a loss.
  void replace(Worker& worker);
  /// Kills a worker, and reaps it later.
  void dismiss(Worker& worker);
  void dismissWhere(const std::function<bool(const Worker&)>& is);
  void giveUp(const Error& error);
  void delayNextLaunch();

  // Inside walls (station_walls.cpp)
  /// The walls of the current run.
  [[nodiscard]] std::optional<WorkerRoom> wantedRoom() const;
  /// Whether it is one for the current run, or for none where there is none.
  [[nodiscard]] bool fits(const Worker& worker) const;
  [[nodiscard]] bool mayStartWalledSpare() const;
  [[nodiscard]] bool hasWalledSpare() const;
  void holdSpares(bool still);
  void release(Worker& worker);

  // Under compute-sanitizer (station_sanitizer.cpp)
  /// A worker whose messages are complete only once it has ended, and what follows then.
  struct AwaitedEnd {
    /// Its work is done; else the worker was lost.
    bool finished = false;
    /// It was told to stop.
    bool stopped = false;
    /// The loss, where it was lost.
    Loss loss;
    /// When that time has come, the worker is ended.
    Clock::time_point before;
  };
  [[nodiscard]] std::string wantedSanitizer() const { return state_.run ? state_.run->sanitizer() : ""; }
  bool letEndByItself(AwaitedEnd awaited);
  void concludeAwaitedEnd();
  void readSanitizerLog(const Worker& worker);

  const std::size_t number_;
  WorkerPlace& place_;
  const RunnerOptions& options_;
  const RunnerState& state_;

  /// The worker that has work of the current run.
  Worker* busy_ = nullptr;
  /// The number of the work that a worker was given last; its answers carry it. It is drawn, so that user
  /// code that speaks in the worker's name has to find it first.
  std::uint32_t workNumber_ = 0;
  /// The last ones that were drawn; what a worker says late belongs to one of these.
  std::deque<std::uint32_t> workNumbers_;
  /// 0 when it was not cancelled, 1 when it was asked, 2 when SIGTERM was sent.
  int cancelStep_ = 0;
  Clock::time_point nextCancelStep_;
  /// It was asked to leave the rest of its work to others.
  bool isRecalled_ = false;
  Workers workers_;
  /// Workers that were killed and not yet reaped: a process may take its time to go, and nobody waits for it.
  Workers dying_;
  /// How many starts in a row failed before a greeting.
  int failedStarts_ = 0;
  /// How many idle workers were lost since a worker last did something.
  int idleLosses_ = 0;
  /// How often the place was lost since a worker last finished its work.
  int placeLosses_ = 0;
  /// The losses of which no run has been told yet.
  std::vector<Loss> idleLost_;
  /// What happened on the way to a worker, and no run has been told.
  std::string untold_;
  Clock::time_point nextLaunch_, nextPing_;
  /// When its workers last had work, or began to wait for it.
  Clock::time_point lastWork_;
  std::optional<Error> failure_;
  bool spareGivenUp_ = false;
  int restarts_ = 0;
  Target target_;
  std::optional<BuildFacts> facts_;
  /// What the last run inside walls could read of the user's files, and what a first one is expected to:
  /// none. Nothing where no such run is expected.
  std::optional<std::vector<std::string>> lastReadable_;
  /// The end of `busy_` that is being waited for.
  std::optional<AwaitedEnd> awaitedEnd_;
};

}  // namespace wb
