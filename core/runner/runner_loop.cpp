// SPDX-License-Identifier: Apache-2.0
#include "core/runner/runner_loop.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/quantity.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {

using std::chrono::milliseconds;

namespace {

// How long workers may take to end in an orderly way when the runner goes.
constexpr milliseconds partingTime{150};
// How long this process may go without a turn, beyond what it waited for.
constexpr std::chrono::seconds stoodStill{2};

/// The part of a job that should be made smaller.
std::string whatIsLarge(const Job& job) {
  std::size_t sources = 0;
  for (const KernelSource& kernel : job.kernels) sources += kernel.text.size() + kernel.referenceText.size();
  if (sources < maxFrameBytes / 2) return "run fewer cases at a time";
  return fmt::format("its {} kernels are {} of text: run fewer of them at a time", job.kernels.size(),
                     formatBytes(static_cast<double>(sources)));
}

Error tooLarge(const Job& job) {
  return {Stage::job,
          fmt::format("the job is too large to send: more than {}",
                      formatBytes(static_cast<double>(maxFrameBytes))),
          whatIsLarge(job),
          {}};
}

}  // namespace

RunnerLoop::RunnerLoop(std::vector<WorkerPlace>& places, const RunnerOptions& options, Inbox& inbox)
    : options_(options), inbox_(inbox) {
  state_.python = wantsPython_ = options.python;
  for (WorkerPlace& place : places) {
    // A login node is not where a cluster's workers run.
    isAnyHere_ = isAnyHere_ || (!place.launcher->isElsewhere() && !place.launcher->isOnDemand());
    titles_.push_back(place.title);
    seats_.push_back({place.host, place.device, place.title, place.compilesAhead});
    stations_.push_back(std::make_unique<Station>(stations_.size(), place, options_, state_));
  }
  hasNews_.resize(stations_.size());
  // Places without a GPU run no cases of a run that is for GPUs.
  if (std::ranges::any_of(seats_, [](const Seat& seat) { return seat.device.starts_with("cuda"); }))
    for (Seat& seat : seats_) seat.compilesAhead = seat.compilesAhead || !seat.device.starts_with("cuda");
  if (std::ranges::all_of(seats_, &Seat::compilesAhead))
    for (Seat& seat : seats_) seat.compilesAhead = false;
}

std::size_t RunnerLoop::firstThatRuns() const {
  return static_cast<std::size_t>(std::ranges::find(seats_, false, &Seat::compilesAhead) - seats_.begin());
}

void RunnerLoop::run() {
  while (true) {
    readMail();
    if (stopping_) break;
    beginNextRun();
    forEach([](Station& station) { station.startWorkers(); });
    noticeFailures();
    assign();
    tellStatus();
    waitForSomething();
    for (std::size_t i = 0; i < stations_.size(); ++i)
      if (hasNews_[i]) stations_[i]->service();
    forEach([](Station& station) { station.watch(); });
    if (current_) current_->tellOfLong(Clock::now());
    forEach([](Station& station) { station.advanceCancel(); });
    noticeFailures();
    settle();
    forEach([](Station& station) { station.ping(); });
    forEach([](Station& station) { station.reap(); });
  }
  shutDown();
}

void RunnerLoop::readMail() {
  Inbox::Mail mail = inbox_.take();
  stopping_ = mail.stop;
  if (mail.listens) told_.reset();
  if (mail.start || !mail.submitted.empty()) {
    state_.wanted = true;
    forEach([](Station& station) { station.tryAgain(); });
  }
  wantsPython_ = wantsPython_ || mail.python;
  if (mail.python && !current_) choosePython(true);
  for (QueuedRun& run : mail.submitted) queue_.push_back(std::move(run));
  state_.queueIsEmpty = queue_.empty();
  for (const Runner::RunId id : mail.cancelled) cancel(id);
}

/// Chooses Python for the first job with a Python kernel: workers without an interpreter are replaced by
/// workers with one.
void RunnerLoop::choosePython(bool python) {
  if (!python || std::exchange(state_.python, true)) return;
  forEach([](Station& station) { station.dismissAll(); });
}

void RunnerLoop::beginNextRun() {
  while (!current_ && !queue_.empty()) {
    QueuedRun next = std::move(queue_.front());
    queue_.pop_front();
    state_.queueIsEmpty = queue_.empty();
    begin(std::move(next));
    settle();
  }
}

void RunnerLoop::begin(QueuedRun queued) {
  const bool nothing = queued.job.kernels.empty();
  current_ = std::make_unique<ActiveRun>(std::move(queued), options_, seats_);
  state_.run = current_.get();
  isCancelled_ = false;
  toldTargets_.clear();
  if (std::set(titles_.begin(), titles_.end()).size() == 1) sayTarget(0);
  toldWaiting_.clear();
  toldFailure_.assign(stations_.size(), false);
  if (nothing) return current_->fail({Stage::job, "the job has no kernel", "name at least one", {}});
  if (current_->isSanitized()) {
    const Result<void> possible = checkSanitizer(current_->sanitizer(), seats_[firstThatRuns()].device);
    if (!possible) return current_->fail(possible.error());
    if (const auto found = findSanitizer(); isAnyHere_ && !found) return current_->fail(found.error());
  }
  if (current_->isWalled() && isAnyHere_) {
    const Result<void> possible = checkSandbox();
    if (!possible) return current_->fail(possible.error());
  }
  choosePython(current_->needsPython());
  current_->sayWhoCompiles();
}

/// Called after anything that may have ended work: finds out whether there is more, or the run is over.
void RunnerLoop::settle() {
  if (!current_) return;
  for (std::size_t i = 0; i < stations_.size(); ++i)
    if (stations_.size() > 1 && stations_[i]->isBusy() && current_->isSuperfluous(i)) stations_[i]->cancel();
  if (current_->isOver()) finishRun(current_->outcome());
}

void RunnerLoop::assign() {
  for (std::size_t i = 0; current_ && i < stations_.size(); ++i) {
    Station& station = *stations_[i];
    if (current_->asksFacts(i)) {
      if (const auto& facts = station.facts())
        current_->takeFacts(i, *facts);
      else
        station.askBuilds();
    }
    if (!station.isReady()) continue;
    for (const Loss& loss : station.takeIdleLosses()) current_->loseIdle(i, loss);
    if (seats_[i].compilesAhead) {
      const auto ahead = current_->handOverAhead(i);
      // One that is too large to send is compiled where it runs, which cannot get it either.
      if (!ahead || station.assign(*ahead)) continue;
      current_->endPiece(i);
      station.leaveRun();
      continue;
    }
    std::optional<Job> job = current_->handOver(i);
    if (!job && stations_.size() > 1) {
      if (const auto other = current_->recall(i)) stations_[*other]->recall();
      job = current_->handOver(i);
    }
    if (!job) continue;
    sayTarget(i);
    if (station.assign(*job)) continue;
    current_->fail(tooLarge(*job));
    current_->endPiece(i);
    station.leaveRun();
    cancelWorkers();
    settle();
  }
}

/// Where a run goes to several targets, only those that do some of it are named in its report.
void RunnerLoop::sayTarget(std::size_t station) {
  const std::string& title = titles_[station];
  const bool isAllHere = std::ranges::all_of(titles_, &std::string::empty);
  if (isAllHere || !toldTargets_.insert(title).second) return;
  current_->sayTarget(title.empty() ? "this machine" : title);
}

/// A station whose workers cannot be started leaves its work to the others; a run ends with the last of them.
void RunnerLoop::noticeFailures() {
  const auto isOut = [](const auto& station) { return station->failure().has_value(); };
  if (std::none_of(stations_.begin(), stations_.end(), isOut)) return;
  bool isAnyLeft = false;
  for (std::size_t i = 0; i < stations_.size(); ++i)
    isAnyLeft = isAnyLeft || (!seats_[i].compilesAhead && !isOut(stations_[i]));
  if (!isAnyLeft) {
    tellStatus();
    const Error error = *stations_[firstThatRuns()]->failure();
    if (state_.python != wantsPython_) return leavePython(error);
    for (beginNextRun(); current_; beginNextRun()) {
      current_->fail(error);
      finishRun(Outcome::workerLost);
    }
    return;
  }
  for (std::size_t i = 0; current_ && i < stations_.size(); ++i) {
    const auto& failure = stations_[i]->failure();
    if (!failure || toldFailure_[i]) continue;
    toldFailure_[i] = true;
    current_->noteFailure(i, failure->text);
  }
}

/// Ends the run for which workers with Python were wanted, since none starts. Those without may, and the next
/// run that needs Python tries anew.
void RunnerLoop::leavePython(const Error& error) {
  state_.python = wantsPython_;
  if (current_) {
    current_->fail(error);
    finishRun(Outcome::workerLost);
  }
  if (!queue_.empty()) forEach([](Station& station) { station.tryAgain(); });
}

void RunnerLoop::cancelWorkers() {
  forEach([](Station& station) { station.cancel(); });
}

void RunnerLoop::cancel(Runner::RunId id) {
  const auto queued =
      std::find_if(queue_.begin(), queue_.end(), [&](const auto& run) { return run.id == id; });
  if (queued != queue_.end()) {
    std::optional<ActiveRun> run(std::in_place, std::move(*queued), options_, seats_);
    queue_.erase(queued);
    state_.queueIsEmpty = queue_.empty();
    run->finish(Outcome::cancelled);
    run.reset();
    inbox_.finished();
  } else if (current_ && current_->id() == id && !std::exchange(isCancelled_, true)) {
    current_->cancel();
    cancelWorkers();
    settle();
  }
}

void RunnerLoop::finishRun(Outcome outcome) {
  std::unique_ptr<ActiveRun> run = std::move(current_);
  state_.run = nullptr;
  forEach([](Station& station) { station.leaveRun(); });
  run->finish(outcome);
  run.reset();  // and with it the listener, before anybody who waits goes on
  inbox_.finished();
}

bool RunnerLoop::isAnyBusy() const {
  return std::any_of(stations_.begin(), stations_.end(),
                     [](const auto& station) { return station->isBusy(); });
}

bool RunnerLoop::isAnyCancelling() const {
  return std::any_of(stations_.begin(), stations_.end(),
                     [](const auto& station) { return station->isCancelling(); });
}

WorkerStatus RunnerLoop::status() const {
  using State = WorkerStatus::State;
  constexpr std::array order{State::busy, State::starting, State::ready, State::failed, State::stopped};
  // This is asked in every turn, with many stations on a cluster.
  const auto rank = [&](const auto& one) { return std::find(order.begin(), order.end(), one->state()); };
  const auto best = std::min_element(stations_.begin(), stations_.end(),
                                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  WorkerStatus all = (*best)->status();
  all.restarts = 0;
  for (const auto& one : stations_) {
    all.restarts += one->restarts();
    if (all.target.device.empty()) all.target = one->target();
    if (all.waitsIn.empty()) all.waitsIn = one->waitsIn();
    if (all.lostConnection.empty()) all.lostConnection = one->lostConnection();
  }
  return all;
}

void RunnerLoop::tellStatus() {
  const WorkerStatus now = status();
  if (current_ && toldWaiting_ != now.waitsIn) {
    toldWaiting_ = now.waitsIn;
    if (!now.waitsIn.empty()) current_->sayWaiting(now.waitsIn);
  }
  if (told_ == now) return;
  told_ = now;
  inbox_.tell(now);
}

int RunnerLoop::pollLimit() const {
  // The next run begins in the next turn.
  if (!current_ && !queue_.empty()) return 0;
  auto next = Clock::now() + std::chrono::hours{1};
  for (const auto& station : stations_) next = std::min(next, station->nextTurn());
  if (current_ && isAnyBusy()) next = std::min(next, current_->nextTelling());
  const auto left = std::chrono::ceil<milliseconds>(next - Clock::now()).count();
  // Without this, a cancelled worker that is silent would be looked at without pause.
  return static_cast<int>(std::max<std::int64_t>(left, isAnyCancelling() ? 10 : 0));
}

void RunnerLoop::waitForSomething() {
  std::vector<pollfd> waiting{{inbox_.descriptor(), POLLIN, 0}};
  std::vector<std::size_t> ends;
  for (const auto& station : stations_) {
    station->appendTo(waiting);
    ends.push_back(waiting.size());
  }
  const int limit = pollLimit();
  ::poll(waiting.data(), waiting.size(), limit);
  // Only those that have said something are read: among many, most have not.
  for (std::size_t i = 0, at = 1; i < stations_.size(); ++i)
    for (hasNews_[i] = false; at < ends[i]; ++at) hasNews_[i] = hasNews_[i] || waiting[at].revents != 0;
  // This process may have been stopped, as by Ctrl-Z, and its workers could not know. That time does not
  // count.
  const auto now = Clock::now();
  if (const auto gap = now - lastTurn_ - milliseconds{limit}; gap > stoodStill) forgive(gap);
  lastTurn_ = now;
}

void RunnerLoop::forgive(Clock::duration gap) {
  forEach([gap](Station& station) { station.forgive(gap); });
  if (current_) current_->forgive(gap);
}

void RunnerLoop::shutDown() {
  if (current_) finishRun(Outcome::cancelled);
  while (!queue_.empty()) cancel(queue_.front().id);
  forEach([](Station& station) { station.sayBye(); });
  const auto deadline = Clock::now() + partingTime;
  forEach([deadline](Station& station) { station.awaitEnd(deadline); });
  forEach([](Station& station) { station.abandon(); });
}

}  // namespace wb
