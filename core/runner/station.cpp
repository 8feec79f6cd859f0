// SPDX-License-Identifier: Apache-2.0
#include "core/runner/station.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <random>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/quantity.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {

using std::chrono::milliseconds;

namespace {

constexpr int failedStartsToGiveUp = 5;
constexpr int slowStart = 3;  // so many times slower under compute-sanitizer
constexpr std::size_t mostWorkNumbers = 64;
constexpr std::size_t mostIdleTold = 20;  // losses between two runs, of which no more are told
// More than what ends a step of a cluster takes for it (core/base/process/step_keeper.cpp).
constexpr std::chrono::seconds killTime{8};

/// The last lines of a worker's standard error, as far as a message has room for them.
std::string lastWords(const WorkerProcess& process) {
  std::string_view text = process.errorsTail();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  constexpr std::size_t most = 600;
  if (text.size() > most) {
    text.remove_prefix(text.size() - most);
    if (const std::size_t line = text.find('\n'); line != std::string_view::npos)
      text.remove_prefix(line + 1);
  }
  return std::string(text);
}

std::chrono::steady_clock::duration toDuration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

Station::Station(std::size_t number, WorkerPlace& place, const RunnerOptions& options,
                 const RunnerState& state)
    : number_(number), place_(place), options_(options), state_(state) {
  if (options_.walledSpare) lastReadable_.emplace();
}

bool Station::owns(const Worker* worker) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& w) { return w.get() == worker; });
}

bool Station::isStarting() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return !w->welcome; });
}

std::size_t Station::readyWorkers() const {
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), [&](const auto& w) {
    return w->welcome && w.get() != busy_ && fits(*w);
  }));
}

/// Whether a spare may be started. A start takes a second of several cores and a part of the GPU, so it must
/// not happen while something is timed; during a run it happens only when the kernel has shown that it ends
/// workers.
bool Station::mayStartSpare() const {
  if (!options_.warmSpare || spareGivenUp_ || place_.launcher->isOnDemand() || !wantedSanitizer().empty())
    return false;
  if (state_.run == nullptr) return state_.queueIsEmpty;
  return busy_ != nullptr && state_.run->losses() > 0 && !state_.run->isTiming();
}

void Station::startWorkers() {
  if (!state_.wanted || failure_ || Clock::now() < nextLaunch_) return;
  // Of another kind one may be starting while the run waits for its own.
  const bool isOnItsWay =
      std::any_of(workers_.begin(), workers_.end(), [&](const auto& w) { return !w->welcome && fits(*w); });
  const std::size_t ready = readyWorkers();
  const bool mayUse = state_.run == nullptr || state_.run->mayUse(number_);
  const bool wanted = state_.run != nullptr || options_.startsOnDemand || !place_.launcher->isOnDemand();
  const bool needed = ready == 0 && busy_ == nullptr && mayUse && wanted;
  if (isOnItsWay || (isStarting() && !needed)) return;
  if (needed || (ready + (busy_ != nullptr ? 1 : 0) < 2 && mayUse && mayStartSpare()))
    launchWorker(wantedRoom());
  else if (mayStartWalledSpare())
    launchWorker(WorkerRoom{std::nullopt, *lastReadable_});
}

void Station::launchWorker(std::optional<WorkerRoom> room) {
  // Who stands inside walls judges nobody.
  WorkerWish wish{place_.device, state_.python, options_.judges && !room, wantedSanitizer()};
  auto limit = place_.launcher->helloLimit();
  if (!wish.sanitizer.empty()) {
    wish.sanitizerLog = place_.launcher->newSanitizerLog();
    limit *= slowStart;
  }
  if (room) {
    wish.walls = WallWish{room->run.value_or(0), room->readable};
    if (room->run) lastReadable_ = room->readable;
    // The folder of a spare that does not fit goes with its walls.
    dismissWhere([&](const Worker& each) { return each.room && !each.room->run; });
  }
  Result<Child> child = place_.launcher->launch(wish);
  if (!child) return giveUp(child.error());
  if (workers_.empty()) lastWork_ = Clock::now();
  workers_.push_back(
      std::make_unique<Worker>(Worker{WorkerProcess(*std::move(child)), false, Clock::now() + limit,
                                      wish.sanitizer, wish.sanitizerLog, std::move(room)}));
}

/// A ready worker has work from now on.
void Station::beginWork() {
  const auto ready =
      std::find_if(workers_.begin(), workers_.end(), [&](const auto& w) { return w->welcome && fits(*w); });
  busy_ = ready->get();
  if (busy_->room) busy_->room->run = state_.run->id();
  release(*busy_);
  cancelStep_ = 0;
  isRecalled_ = false;
  std::random_device drawn;
  do workNumber_ = static_cast<std::uint32_t>(drawn());
  while (workNumber_ == 0 || hasDrawn(workNumber_));
  workNumbers_.push_back(workNumber_);
  if (workNumbers_.size() > mostWorkNumbers) workNumbers_.pop_front();
  busy_->process.listenFromNow();
}

bool Station::assign(const Job& job) {
  beginWork();
  state_.run->takeTarget(number_, target_);
  // It is at rest while it gets these, however long they are on their way.
  if (job.work)
    for (Built& built : state_.run->builtFor(number_, *job.work))
      if (busy_->given.insert(built.file.key).second) busy_->process.give(std::move(built));
  return busy_->process.send(RunJob{job}, workNumber_);
}

bool Station::assign(const CompileAhead& ahead) {
  beginWork();
  return busy_->process.send(ahead, workNumber_);
}

void Station::askBuilds() {
  for (const auto& worker : workers_)
    if (worker->welcome && worker.get() != busy_ && !std::exchange(worker->isAskedBuilds, true)) {
      worker->process.send(AskBuilds{});
      return;
    }
}

void Station::cancel() {
  if (busy_ == nullptr || cancelStep_ > 0) return;
  busy_->process.send(Cancel{}, workNumber_);
  cancelStep_ = 1;
  nextCancelStep_ = Clock::now() + toDuration(options_.cancelGraceSeconds);
  if (busy_->away) leaveAway();
}

/// Nobody waits for a worker that cannot be reached and is to stop. What stands in its place sees to its end.
void Station::leaveAway() {
  state_.run->sayOfConnection(
      "the worker there is ended as soon as it can be reached again, and else ends by itself after its grace "
      "time");
  dismiss(*busy_);
  ++restarts_;
  cancelStep_ = 0;
  state_.run->giveBack(number_);
}

void Station::recall() {
  if (busy_ == nullptr || cancelStep_ > 0) return;
  busy_->process.send(Cancel{}, workNumber_);
  isRecalled_ = true;
}

void Station::advanceCancel() {
  if (cancelStep_ == 0 || busy_ == nullptr || Clock::now() < nextCancelStep_) return;
  if (cancelStep_ == 1) {
    busy_->process.kill(SIGTERM);
    cancelStep_ = 2;
    nextCancelStep_ = Clock::now() + toDuration(options_.cancelGraceSeconds);
  } else {
    lose(*busy_, {Verdict::hung, "did not stop when it was told to", "", false});
  }
}

/// The worker is done with its work. `stopped` says that it was told to stop, and has left some of it.
void Station::endWork(bool stopped) {
  if (stopped)
    state_.run->giveBack(number_);
  else
    state_.run->endPiece(number_);
  placeLosses_ = 0;
  leaveRun();
}

void Station::leaveRun() {
  if (busy_ != nullptr) busy_->process.killOrphans();
  // A worker that was told to end will end, although it has finished first, so the next run cannot have it.
  if (busy_ != nullptr && cancelStep_ > 1) dismiss(*busy_);
  busy_ = nullptr;
  awaitedEnd_.reset();
  cancelStep_ = 0;
  if (state_.run != nullptr) return;
  // Walls are one run's, and nobody waits in a queue for a run that is over.
  dismissWhere([](const Worker& each) { return (each.room && each.room->run) || !each.waitsIn.empty(); });
}

void Station::lose(Worker& worker, Loss loss) {
  const bool hadWork = &worker == busy_;
  if (hadWork && loss.verdict == Verdict::crashed &&
      letEndByItself({.finished = false, .stopped = false, .loss = loss, .before = {}}))
    return;
  loss.lastWords = lastWords(worker.process);
  if (hadWork) readSanitizerLog(worker);
  awaitedEnd_.reset();
  dismiss(worker);
  ++restarts_;
  spareGivenUp_ = false;
  if (!hadWork) {
    ++idleLosses_;
    if (state_.run != nullptr)
      state_.run->loseIdle(number_, loss);
    else if (idleLost_.size() < mostIdleTold)
      idleLost_.push_back(std::move(loss));
    return delayNextLaunch();
  }
  if (std::exchange(cancelStep_, 0) > 0) return state_.run->giveBack(number_);
  if (!state_.run->heard(number_)) {  // the fault may be the worker's and not the kernel's
    ++idleLosses_;
    delayNextLaunch();
  }
  state_.run->lose(number_, loss);
}

void Station::replace(Worker& worker) {
  const bool hadWork = &worker == busy_;
  if (hadWork) state_.run->takeErrors(number_, worker.process.takeErrors());
  dismiss(worker);
  if (!hadWork) return;
  if (std::exchange(cancelStep_, 0) > 0) return state_.run->giveBack(number_);
  state_.run->leaveKernel(number_);
}

void Station::loseAtStart(Worker& worker, const std::string& reason, int weight) {
  std::string words = lastWords(worker.process);
  if (words.empty()) words = worker.process.banner().substr(0, 600);
  if (words.empty() && !worker.sanitizerLog.empty())
    words = readFile(worker.sanitizerLog).value_or("").substr(0, 600);
  const Error error{Stage::setup,
                    words.empty()
                        ? fmt::format("the worker did not start: {}", reason)
                        : fmt::format("the worker did not start: {}; it printed:\n{}", reason, words),
                    place_.title.empty() ? "see `warpbench doctor`"
                                         : fmt::format("see `warpbench target test {}`", place_.title)};
  const std::optional<Error> known = place_.launcher->startOf(worker.process.errorsTail()).failure;
  dismiss(worker);
  ++restarts_;
  if (known) return giveUp(*known);
  failedStarts_ += weight;
  if (failedStarts_ >= failedStartsToGiveUp) return giveUp(error);
  delayNextLaunch();
}

void Station::losePlace(Worker& worker, const std::string& reason) {
  const bool hadWork = &worker == busy_;
  awaitedEnd_.reset();
  dismiss(worker);
  ++restarts_;
  if (state_.run != nullptr) state_.run->losePlace(number_, reason);
  if (++placeLosses_ >= failedStartsToGiveUp)
    giveUp({Stage::setup,
            fmt::format("the worker was lost {} times in a row: {}", placeLosses_, reason),
            "see whether the host is well, or choose another one",
            {}});
  else
    delayNextLaunch();
  if (!hadWork) return;
  cancelStep_ = 0;
  state_.run->giveBack(number_);
}

void Station::dismiss(Worker& worker) {
  if (&worker == busy_) busy_ = nullptr;
  worker.process.kill(SIGKILL);
  if (!worker.sanitizerLog.empty()) {
    std::error_code ignored;
    std::filesystem::remove(worker.sanitizerLog, ignored);
  }
  const auto found =
      std::find_if(workers_.begin(), workers_.end(), [&](const auto& w) { return w.get() == &worker; });
  dying_.push_back(std::move(*found));
  workers_.erase(found);
}

void Station::dismissWhere(const std::function<bool(const Worker&)>& is) {
  const auto isOut = [&](const auto& worker) { return is(*worker); };
  for (auto at = workers_.begin();
       (at = std::find_if(workers_.begin(), workers_.end(), isOut)) != workers_.end();)
    dismiss(**at);
}

void Station::dismissAll() {
  dismissWhere([](const Worker&) { return true; });
}

/// Called when no further start would help. While another worker does its job, only the spare is given up.
void Station::giveUp(const Error& error) {
  failedStarts_ = 0;
  if (busy_ != nullptr || readyWorkers() > 0)
    spareGivenUp_ = true;
  else
    failure_ = error;
}

void Station::tryAgain() {
  if (!failure_) return;
  failure_.reset();
  failedStarts_ = idleLosses_ = placeLosses_ = 0;
  nextLaunch_ = {};
}

/// Delays the next launch by 0, 0, 0.1, 0.2, 0.4 … 30 seconds.
void Station::delayNextLaunch() {
  const int losses = failedStarts_ + idleLosses_ + placeLosses_;
  const double seconds = losses <= 2 ? 0 : std::min(30.0, 0.1 * std::exp2(std::min(losses - 3, 20)));
  nextLaunch_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Station::reap() {
  std::erase_if(dying_,
                [](const auto& worker) { return worker->process.ending(milliseconds{0}).has_value(); });
}

std::vector<Loss> Station::takeIdleLosses() {
  return std::exchange(idleLost_, {});
}

WorkerStatus::State Station::state() const {
  using State = WorkerStatus::State;
  return failure_             ? State::failed
         : busy_ != nullptr   ? State::busy
         : readyWorkers() > 0 ? State::ready
         : state_.wanted      ? State::starting
                              : State::stopped;
}

const std::string& Station::waitsIn() const {
  static const std::string nowhere;
  if (state() != WorkerStatus::State::starting) return nowhere;
  for (const auto& worker : workers_)
    if (!worker->waitsIn.empty()) return worker->waitsIn;
  return nowhere;
}

const std::string& Station::lostConnection() const {
  static const std::string none;
  for (const auto& worker : workers_)
    if (worker->away) return worker->awayText;
  return none;
}

WorkerStatus Station::status() const {
  const std::size_t ready = readyWorkers();
  WorkerStatus status;
  status.state = state();
  status.target = target_;
  status.spareReady = ready > (busy_ != nullptr ? 0U : 1U) || hasWalledSpare();
  status.restarts = restarts_;
  if (failure_) status.failure = *failure_;
  status.waitsIn = waitsIn();
  status.lostConnection = lostConnection();
  return status;
}

void Station::sayBye() {
  for (const auto& worker : workers_) {
    if (worker->welcome) worker->process.send(Bye{});
    worker->process.closeInput();
  }
}

void Station::awaitEnd(Clock::time_point deadline) {
  for (const auto& worker : workers_)
    worker->process.ending(
        std::max(std::chrono::ceil<milliseconds>(deadline - Clock::now()), milliseconds{0}));
  dismissAll();
}

void Station::abandon() {
  for (auto& worker : dying_) {
    // A process that even SIGKILL does not end hangs in the driver; whoever waited for it would hang too.
    if (!worker->process.ending(killTime)) [[maybe_unused]]
      auto* left = worker.release();
  }
  dying_.clear();
}

}  // namespace wb
