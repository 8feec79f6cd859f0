// SPDX-License-Identifier: Apache-2.0
// What a station's workers say, and how long they may be silent.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "core/base/quantity.h"
#include "core/runner/station.h"

namespace wb {

using std::chrono::milliseconds;

namespace {

constexpr int silentStartWeight = 3;  // each costs the whole limit, so twice is enough
constexpr std::chrono::seconds pingPeriod{5};
// The longest time between the end of a worker's stream and the end of its process. On a busy machine the
// system takes a second to take a process apart; only one that lives on with its stream closed waits so long.
constexpr milliseconds endOfClosed{2000};
// A worker that ended while this process stood still is known to have by then.
constexpr std::chrono::seconds untilEndIsKnown{30};

std::string reasonFor(WorkerProcess& process, const WorkerProcess::Input& input) {
  if (input.broken) return "it broke the protocol: " + input.broken->text;
  // A closed stream mostly means that the process is about to be gone.
  const auto ending = process.ending(input.ended ? milliseconds{0} : endOfClosed);
  if (!ending) return "it closed its output";
  if (ending->signal == 0) return fmt::format("its process ended with exit code {}", ending->exitCode);
  if (ending->signal != SIGKILL) return describe(*ending);
  // Nobody here sent that signal: a worker whose deadline passed is not asked how it ended.
  const std::optional<bool> memory = process.memoryRanOut();
  if (!memory) return describe(*ending) + ", as the system does where memory runs out";
  return *memory ? describe(*ending) + ": the system ended it, since memory ran out" : describe(*ending);
}

}  // namespace

/// Does `action` for each worker that is still here when its turn comes.
template <class Action>
void Station::forEach(Action action) {
  std::vector<Worker*> all;
  for (const auto& worker : workers_) all.push_back(worker.get());
  for (Worker* worker : all)
    if (owns(worker)) action(*worker);
}

void Station::service() {
  forEach([this](Worker& worker) { service(worker); });
}

void Station::watch() {
  if (state_.run != nullptr) tellOfConnection(std::exchange(untold_, {}));
  holdSpares(state_.run != nullptr && state_.run->isTiming());
  const auto now = Clock::now();
  forEach([this, now](Worker& worker) { watch(worker, now); });
  releaseIdle(now);
}

/// A node of a cluster is not held by whoever has nothing to do.
void Station::releaseIdle(Clock::time_point now) {
  if (state_.run != nullptr || !state_.queueIsEmpty) lastWork_ = now;
  if (now >= releaseTime()) dismissAll();
}

Station::Clock::time_point Station::releaseTime() const {
  if (workers_.empty() || !place_.launcher->isOnDemand()) return Clock::time_point::max();
  return lastWork_ +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.idleSeconds));
}

void Station::service(Worker& worker) {
  WorkerProcess::Input input = worker.process.service();
  if (!worker.welcome && !input.errors.empty()) noticeStart(worker);
  if (&worker == busy_) state_.run->takeErrors(number_, std::move(input.errors));
  for (const Received& received : input.messages) {
    take(worker, received);
    if (!owns(&worker)) return;
  }
  if (!input.broken && !input.closed && !input.ended) return;
  if (&worker == busy_ && awaitedEnd_) {
    if (input.ended) concludeAwaitedEnd();
    return;
  }
  const std::string reason = reasonFor(worker.process, input);
  // Its last words may have come after its standard error was read and before its stream was at its end.
  std::string errors = worker.process.takeErrors();
  if (&worker == busy_) state_.run->takeErrors(number_, std::move(errors));
  if (!worker.welcome) return loseAtStart(worker, reason);
  if (const std::string loss = placeLossOf(worker); !loss.empty()) return losePlace(worker, loss);
  if (const std::string loss = standstillLossOf(worker); !loss.empty()) return losePlace(worker, loss);
  if (input.isForged) return lose(worker, {Verdict::tampered, input.broken->text, "", false});
  lose(worker, {Verdict::crashed, reason, "", false});
}

/// Its start has said something on standard error.
void Station::noticeStart(Worker& worker) {
  std::string waitsIn = place_.launcher->startOf(worker.process.errorsTail()).waitsIn;
  const bool waited = !worker.waitsIn.empty(), waits = !waitsIn.empty();
  worker.waitsIn = std::move(waitsIn);
  if (waits == waited) return;
  const auto limit = waits ? place_.launcher->waitLimit() : place_.launcher->helloLimit();
  worker.helloBefore = limit.count() > 0 ? Clock::now() + limit : Clock::time_point::max();
}

std::string Station::placeLossOf(Worker& worker) const {
  const auto ending = worker.process.ending(milliseconds{0});
  return ending ? place_.launcher->placeLoss(worker.process.errorsTail(), *ending) : std::string();
}

/// A worker on another machine does not see that its runner is stopped, as by Ctrl-Z or sleep, and ends
/// itself. No kernel can make this process stand still.
std::string Station::standstillLossOf(Worker& worker) const {
  if (!worker.unheardSince || Clock::now() - *worker.unheardSince > untilEndIsKnown) return {};
  if (worker.process.ending(milliseconds{0}) != Ending{runnerWasSilent, 0}) return {};
  return "this program stood still for so long that the worker ended itself";
}

void Station::take(Worker& worker, const Received& received) {
  if (const auto* hello = std::get_if<Hello>(&received.message)) {
    if (!worker.welcome) takeHello(worker, *hello);
  } else if (const auto* bye = std::get_if<Bye>(&received.message)) {
    if (&worker == busy_ && awaitedEnd_) return;
    if (bye->spoiled && worker.welcome) return replace(worker);
    if (worker.welcome)
      lose(worker, {Verdict::crashed, "it ended itself, because its device can no longer be used", "", true});
    else
      loseAtStart(worker, "it ended itself");
  } else if (const auto* elsewhere = std::get_if<Elsewhere>(&received.message)) {
    if (place_.launcher->isElsewhere()) takeElsewhere(worker, *elsewhere);
  } else if (const auto* builds = std::get_if<Builds>(&received.message)) {
    // It is asked once: a kernel that has found the seal tells nothing new.
    if (worker.isAskedBuilds && !facts_) facts_ = builds->facts;
  } else if (const auto* built = std::get_if<Built>(&received.message)) {
    if (&worker == busy_ && received.run == workNumber_) state_.run->takeBuilt(number_, built->file);
  } else if (const auto* happened = std::get_if<Happened>(&received.message)) {
    // An event that belongs to no work, or to work that is over, is not needed by anybody.
    if (&worker != busy_) return;
    if (received.run == workNumber_) return takeEvent(worker, happened->event);
    if (received.run != 0 && !hasDrawn(received.run))
      lose(worker, {Verdict::tampered,
                    "a message came that Warpbench did not send (about work that nobody has)", "", false});
  }
}

void Station::takeEvent(Worker& worker, const Event& event) {
  failedStarts_ = idleLosses_ = 0;
  if (const auto* finished = std::get_if<Finished>(&event)) {
    // This was printed before the end, and is read after it.
    state_.run->takeErrors(number_, worker.process.takeErrors());
    const bool stopped = (cancelStep_ > 0 || isRecalled_) && finished->outcome == Outcome::cancelled;
    if (!letEndByItself({.finished = true, .stopped = stopped, .loss = {}, .before = {}})) endWork(stopped);
    return;
  }
  const std::string misfit = state_.run->take(number_, event);
  if (misfit.empty()) return;
  lose(worker, {Verdict::tampered, fmt::format("a message came that Warpbench did not send ({})", misfit), "",
                false});
}

/// Where there is no run yet, the next one is told.
void Station::tellOfConnection(const std::string& text) {
  if (text.empty()) return;
  if (state_.run != nullptr)
    state_.run->sayOfConnection(text);
  else
    untold_ = text;
}

/// While a worker cannot be reached it goes on, and no deadline of its work passes.
void Station::takeElsewhere(Worker& worker, const Elsewhere& elsewhere) {
  using Where = Elsewhere::State;
  const auto now = Clock::now();
  if (elsewhere.state == Where::waiting && !worker.welcome) {
    worker.helloBefore = now + place_.launcher->helloLimit();
    if (!std::exchange(worker.toldWaiting, true)) tellOfConnection(elsewhere.text);
  } else if (elsewhere.state == Where::away && !worker.away) {
    worker.away = now;
    worker.awayText = elsewhere.text;
    tellOfConnection(elsewhere.text);
    if (&worker == busy_ && cancelStep_ > 0) leaveAway();
  } else if (elsewhere.state == Where::back && worker.away) {
    if (&worker == busy_) state_.run->forgive(number_, now - *worker.away);
    nextCancelStep_ += now - *worker.away;
    worker.away.reset();
    tellOfConnection(elsewhere.text);
  } else if (elsewhere.state == Where::gone) {
    if (!worker.welcome) return loseAtStart(worker, elsewhere.text);
    losePlace(worker, elsewhere.text);
  }
}

void Station::takeHello(Worker& worker, const Hello& hello) {
  std::optional<Error> misfit;
  if (hello.protocol != protocolVersion) {
    misfit = Error{Stage::setup,
                   fmt::format("the worker speaks version {} of the protocol (build {}), this program speaks "
                               "version {} (build {})",
                               hello.protocol, hello.build.empty() ? "unknown" : hello.build, protocolVersion,
                               WB_VERSION),
                   "install both from one build; WARPBENCH_WORKER may name another one's worker"};
  } else if (!hello.failure.empty()) {
    misfit = place_.launcher->ofWorker({Stage::setup, hello.failure, hello.hint});
  }
  worker.process.welcome({!misfit, misfit ? misfit->text : ""});
  if (misfit) {
    dismiss(worker);
    return giveUp(*misfit);
  }
  worker.welcome = true;
  worker.waitsIn.clear();
  failedStarts_ = 0;
  target_ = hello.target;
}

void Station::watch(Worker& worker, Clock::time_point now) {
  if (!worker.welcome) {
    if (now < worker.helloBefore || worker.heldSince) return;
    if (!worker.waitsIn.empty()) {
      const double limit = std::chrono::duration<double>(place_.launcher->waitLimit()).count();
      const Error error{
          Stage::setup,
          fmt::format("no worker started: it waited {} in {}", formatSeconds(limit), worker.waitsIn),
          "ask for less or for another partition, or wait longer",
          {}};
      dismiss(worker);
      return giveUp(error);
    }
    const double limit = std::chrono::duration<double>(place_.launcher->helloLimit()).count();
    return loseAtStart(worker, fmt::format("it did not greet within {}", formatSeconds(limit)),
                       silentStartWeight);
  }
  if (&worker != busy_)
    return;  // at rest it says nothing; its process or its connection would tell of an end
  if (awaitedEnd_) {
    if (now >= awaitedEnd_->before) concludeAwaitedEnd();
    return;
  }
  if (cancelStep_ > 0) return;
  const double limit = heartbeatSeconds();
  const double silence = std::chrono::duration<double>(now - worker.process.lastHeard()).count();
  if (silence >= limit) {
    const std::string reason = fmt::format("gave no sign of life for {}", formatSeconds(limit));
    const std::string meaning = place_.launcher->silenceMeans();
    // A second worker that falls silent at the same step proves that the step does it.
    if (!meaning.empty() && state_.run->isFirstSilence(number_))
      return losePlace(worker, fmt::format("it {}: {}", reason, meaning));
    return lose(worker, {Verdict::hung, reason, "", false});
  }
  if (!worker.away && now >= state_.run->deadline(number_))
    lose(worker, {Verdict::hung, state_.run->overdue(number_), "", false});
}

void Station::ping() {
  if (busy_ == nullptr || Clock::now() < nextPing_) return;
  nextPing_ = Clock::now() + pingPeriod;
  if (!busy_->process.hasUnsent()) busy_->process.send(Ping{});
}

void Station::appendTo(std::vector<pollfd>& waiting) const {
  for (const auto& worker : workers_) worker->process.appendTo(waiting);
  for (const auto& worker : dying_) worker->process.appendEndTo(waiting);
}

Station::Clock::time_point Station::nextTurn() const {
  auto next = Clock::time_point::max();
  const auto silence =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(heartbeatSeconds()));
  for (const auto& worker : workers_)
    if (!worker->welcome && !worker->heldSince) next = std::min(next, worker->helloBefore);
  if (busy_ != nullptr) {
    next = std::min({next, nextPing_, busy_->process.lastHeard() + silence});
    next = std::min(next, cancelStep_ > 0 ? nextCancelStep_
                          : busy_->away   ? Clock::time_point::max()
                                          : state_.run->deadline(number_));
  }
  if (awaitedEnd_) next = std::min(next, awaitedEnd_->before);
  next = std::min(next, releaseTime());
  if (state_.wanted && !failure_ && nextLaunch_ > Clock::now()) next = std::min(next, nextLaunch_);
  return next;
}

void Station::forgive(Clock::duration gap) {
  for (const auto& worker : workers_) {
    worker->process.forgive(gap);
    if (worker->helloBefore != Clock::time_point::max()) worker->helloBefore += gap;
  }
  // A worker hears the last ping before a standstill late, or one that was sent long before it.
  if (gap >= longestRunnerSilence - 2 * pingPeriod && !place_.launcher->silenceMeans().empty())
    for (const auto& worker : workers_) worker->unheardSince = Clock::now();
  if (awaitedEnd_) awaitedEnd_->before += gap;
  nextCancelStep_ += gap;
}

}  // namespace wb
