// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/quantity.h"
#include "core/runner/runner_loop.h"
#include "core/runner/sanitizer.h"

namespace wb {

using std::chrono::milliseconds;

namespace {

constexpr int failedStartsToGiveUp = 5;
constexpr int slowStart = 3;              // times, under compute-sanitizer
constexpr int silentStartWeight = 3;      // each costs the whole limit: twice is enough
constexpr std::size_t mostIdleTold = 20;  // of losses between two runs
constexpr std::chrono::seconds pingPeriod{5};
constexpr milliseconds endOfClosed{100};  // between the end of a worker's stream and the end of its process

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

std::string reasonFor(WorkerProcess& process, const WorkerProcess::Input& input) {
  if (input.broken) return "it broke the protocol: " + input.broken->text;
  // A closed stream mostly means that the process is just about to be gone.
  const auto ending = process.ending(input.ended ? milliseconds{0} : endOfClosed);
  if (!ending) return "it closed its output";
  if (ending->signal == 0) return fmt::format("its process ended with exit code {}", ending->exitCode);
  if (ending->signal != SIGKILL) return describe(*ending);
  // Nobody here sent it: a worker whose deadline passed is not asked how it ended.
  const std::optional<bool> memory = process.memoryRanOut();
  if (!memory) return describe(*ending) + ", as the system does where memory runs out";
  return *memory ? describe(*ending) + ": the system ended it, since memory ran out" : describe(*ending);
}

}  // namespace

bool RunnerLoop::owns(const Worker* worker) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& w) { return w.get() == worker; });
}

bool RunnerLoop::isStarting() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return !w->welcome; });
}

std::size_t RunnerLoop::readyWorkers() const {
  return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(), [&](const auto& w) {
    return w->welcome && w.get() != busy_ && fits(*w);
  }));
}

/// A start costs a second of several cores and part of the GPU: never while something is timed, and during a
/// run only when its kernel has shown that it ends workers.
bool RunnerLoop::mayStartSpare() const {
  if (!options_.warmSpare || spareGivenUp_ || !wantedSanitizer().empty()) return false;
  if (!current_) return queue_.empty();
  return busy_ != nullptr && current_->losses() > 0 && !current_->progress().timing();
}

void RunnerLoop::startWorkers() {
  if (!wanted_ || failure_ || isStarting() || Clock::now() < nextLaunch_) return;
  const std::size_t ready = readyWorkers();
  const bool needed = ready == 0 && busy_ == nullptr;
  if (needed || (ready + (busy_ != nullptr ? 1 : 0) < 2 && mayStartSpare())) launchWorker();
}

void RunnerLoop::launchWorker() {
  WorkerWish wish{device_, python_, wantedSanitizer()};
  auto limit = launcher_.helloLimit();
  if (!wish.sanitizer.empty()) {
    wish.sanitizerLog = newSanitizerLog();
    limit *= slowStart;
  }
  Result<Child> child = launcher_.launch(wish);
  if (!child) return giveUp(child.error());
  workers_.push_back(std::make_unique<Worker>(Worker{
      WorkerProcess(*std::move(child)), false, Clock::now() + limit, wish.sanitizer, wish.sanitizerLog}));
}

void RunnerLoop::serviceAll() {
  std::vector<Worker*> all;
  for (const auto& worker : workers_) all.push_back(worker.get());
  for (Worker* worker : all)
    if (owns(worker)) service(*worker);
}

void RunnerLoop::service(Worker& worker) {
  WorkerProcess::Input input = worker.process.service();
  if (&worker == busy_) current_->takeErrors(std::move(input.errors));
  for (const Received& received : input.messages) {
    take(worker, received);
    if (!owns(&worker)) return;
  }
  if (!input.broken && !input.closed && !input.ended) return;
  if (&worker == busy_ && parting_) {
    if (input.ended) concludeParting();
    return;
  }
  const std::string reason = reasonFor(worker.process, input);
  // Its last words may have come after its standard error was read and before its stream was at its end.
  std::string errors = worker.process.takeErrors();
  if (&worker == busy_) current_->takeErrors(std::move(errors));
  if (worker.welcome)
    lose(worker, {Verdict::crashed, reason, "", false});
  else
    loseAtStart(worker, reason);
}

void RunnerLoop::take(Worker& worker, const Received& received) {
  if (const auto* hello = std::get_if<Hello>(&received.message)) {
    if (!worker.welcome) takeHello(worker, *hello);
  } else if (const auto* bye = std::get_if<Bye>(&received.message)) {
    if (&worker == busy_ && parting_) return;
    if (bye->spoiled && worker.welcome) return replace(worker);
    if (worker.welcome)
      lose(worker, {Verdict::crashed, "it ended itself, because its device can no longer be used", "", true});
    else
      loseAtStart(worker, "it ended itself");
  } else if (const auto* happened = std::get_if<Happened>(&received.message)) {
    // What belongs to no run, or to one that is over, is of no interest to anybody.
    if (&worker != busy_ || received.run != current_->id()) return;
    failedStarts_ = idleLosses_ = 0;
    if (const auto* finished = std::get_if<Finished>(&happened->event)) {
      current_->takeErrors(worker.process.takeErrors());  // printed before the end, read after it
      const bool cancelled = cancelStep_ > 0 && finished->outcome == Outcome::cancelled;
      const Outcome outcome = cancelled ? Outcome::cancelled : Outcome::finished;
      if (!part(outcome, {})) finishRun(outcome);
    } else {
      const std::string misfit = current_->take(happened->event);
      if (misfit.empty()) return;
      lose(worker, {Verdict::tampered, fmt::format("a message came that Warpbench did not send ({})", misfit),
                    "", false});
    }
  }
}

void RunnerLoop::takeHello(Worker& worker, const Hello& hello) {
  std::optional<Error> misfit;
  if (hello.protocol != protocolVersion) {
    misfit = Error{Stage::setup,
                   fmt::format("the worker speaks version {} of the protocol (build {}), this program speaks "
                               "version {} (build {})",
                               hello.protocol, hello.build.empty() ? "unknown" : hello.build, protocolVersion,
                               WB_VERSION),
                   "install both from one build; WARPBENCH_WORKER may name another one's worker",
                   {}};
  } else if (!hello.failure.empty()) {
    misfit = Error{Stage::setup, hello.failure, hello.hint, {}};
  }
  worker.process.send(Welcome{!misfit, misfit ? misfit->text : ""});
  if (misfit) {
    dismiss(worker);
    return giveUp(*misfit);
  }
  worker.welcome = true;
  failedStarts_ = 0;
  target_ = hello.target;
}

void RunnerLoop::watch() {
  const auto now = Clock::now();
  std::vector<Worker*> all;
  for (const auto& worker : workers_) all.push_back(worker.get());
  for (Worker* worker : all)
    if (owns(worker)) watch(*worker, now);
  if (busy_ != nullptr) current_->tellOfLong(now);
}

void RunnerLoop::watch(Worker& worker, Clock::time_point now) {
  if (!worker.welcome) {
    if (now < worker.helloBefore) return;
    const double limit = std::chrono::duration<double>(launcher_.helloLimit()).count();
    return loseAtStart(worker, fmt::format("it did not greet within {}", formatSeconds(limit)),
                       silentStartWeight);
  }
  if (&worker == busy_ && parting_) {
    if (now >= parting_->before) concludeParting();
    return;
  }
  if (&worker == busy_ && cancelStep_ > 0) return;
  const double silence = std::chrono::duration<double>(now - worker.process.lastHeard()).count();
  if (silence >= options_.heartbeatSeconds)
    return lose(worker, {Verdict::hung,
                         fmt::format("gave no sign of life for {}", formatSeconds(options_.heartbeatSeconds)),
                         "", false});
  if (&worker == busy_ && now >= current_->deadline())
    lose(worker, {Verdict::hung, current_->progress().overdue(), "", false});
}

void RunnerLoop::ping() {
  if (Clock::now() < nextPing_) return;
  nextPing_ = Clock::now() + pingPeriod;
  for (const auto& worker : workers_)
    if (worker->welcome && !worker->process.hasUnsent()) worker->process.send(Ping{});
}

void RunnerLoop::lose(Worker& worker, RunProgress::Loss loss) {
  const bool hadRun = &worker == busy_;
  if (hadRun && loss.verdict == Verdict::crashed && part(std::nullopt, loss)) return;
  loss.lastWords = lastWords(worker.process);
  if (hadRun) readSanitizerLog(worker);
  parting_.reset();
  dismiss(worker);
  ++restarts_;
  spareGivenUp_ = false;
  if (!hadRun) {
    ++idleLosses_;
    if (current_)
      current_->loseIdle(loss);
    else if (idleLost_.size() < mostIdleTold)
      idleLost_.push_back(std::move(loss));
    return delayNextLaunch();
  }
  if (cancelStep_ > 0) return finishRun(Outcome::cancelled);
  if (!current_->heard()) {  // it may be the worker, not the kernel
    ++idleLosses_;
    delayNextLaunch();
  }
  current_->lose(loss);
  if (!current_->progress().rest()) finishRun(Outcome::finished);
}

void RunnerLoop::replace(Worker& worker) {
  const bool hadRun = &worker == busy_;
  if (hadRun) current_->takeErrors(worker.process.takeErrors());
  dismiss(worker);
  if (!hadRun) return;
  if (cancelStep_ > 0) return finishRun(Outcome::cancelled);
  current_->leaveKernel();
  if (!current_->progress().rest()) finishRun(Outcome::finished);
}

void RunnerLoop::loseAtStart(Worker& worker, const std::string& reason, int weight) {
  std::string words = lastWords(worker.process);
  if (words.empty()) words = worker.process.banner().substr(0, 600);
  if (words.empty() && !worker.sanitizerLog.empty())
    words = readFile(worker.sanitizerLog).value_or("").substr(0, 600);
  const Error error{Stage::setup,
                    words.empty()
                        ? fmt::format("the worker did not start: {}", reason)
                        : fmt::format("the worker did not start: {}; it printed:\n{}", reason, words),
                    "see `warpbench doctor`",
                    {}};
  dismiss(worker);
  ++restarts_;
  failedStarts_ += weight;
  if (failedStarts_ >= failedStartsToGiveUp) return giveUp(error);
  delayNextLaunch();
}

void RunnerLoop::dismiss(Worker& worker) {
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

/// No further start would help. While another worker does its job only the spare is given up.
void RunnerLoop::giveUp(const Error& error) {
  failedStarts_ = 0;
  if (busy_ != nullptr || readyWorkers() > 0) {
    spareGivenUp_ = true;
    return;
  }
  failure_ = error;
  tellStatus();
  if (current_) failRun(error, Outcome::workerLost);
  while (!queue_.empty()) {
    current_ = std::make_unique<ActiveRun>(std::move(queue_.front()), options_);
    queue_.pop_front();
    failRun(error, Outcome::workerLost);
  }
}

/// 0, 0, 0.1, 0.2, 0.4 … 30 seconds.
void RunnerLoop::delayNextLaunch() {
  const int losses = failedStarts_ + idleLosses_;
  const double seconds = losses <= 2 ? 0 : std::min(30.0, 0.1 * std::exp2(std::min(losses - 3, 20)));
  nextLaunch_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void RunnerLoop::reap() {
  std::erase_if(dying_,
                [](const auto& worker) { return worker->process.ending(milliseconds{0}).has_value(); });
}

}  // namespace wb
