// SPDX-License-Identifier: Apache-2.0
#include "core/runner/runner_loop.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "core/base/quantity.h"
#include "core/runner/sanitizer.h"

namespace wb {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds partingTime{150};  // for workers to end in order when the runner goes
constexpr std::chrono::seconds killTime{2};
constexpr std::chrono::seconds stoodStill{2};  // without a turn, beyond what was waited for

std::chrono::steady_clock::duration toDuration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

RunnerLoop::RunnerLoop(Launcher& launcher, std::string device, const RunnerOptions& options, Inbox& inbox)
    : launcher_(launcher), device_(std::move(device)), options_(options), inbox_(inbox) {}

void RunnerLoop::run() {
  while (true) {
    readMail();
    if (stopping_) break;
    beginNextRun();
    choosePython();
    startWorkers();
    assign();
    tellStatus();
    waitForSomething();
    serviceAll();
    watch();
    advanceCancel();
    ping();
    reap();
  }
  shutDown();
}

void RunnerLoop::readMail() {
  Inbox::Mail mail = inbox_.take();
  stopping_ = mail.stop;
  if (mail.start || !mail.submitted.empty()) {
    wanted_ = true;
    if (failure_) {  // asked anew: perhaps it was repaired
      failure_.reset();
      failedStarts_ = idleLosses_ = 0;
      nextLaunch_ = {};
    }
  }
  for (QueuedRun& run : mail.submitted) queue_.push_back(std::move(run));
  for (const Runner::RunId id : mail.cancelled) cancel(id);
}

void RunnerLoop::beginNextRun() {
  while (!current_ && !queue_.empty()) {
    const bool nothing = queue_.front().job.kernels.empty();
    current_ = std::make_unique<ActiveRun>(std::move(queue_.front()), options_);
    queue_.pop_front();
    cancelStep_ = 0;
    if (nothing) {
      failRun({Stage::job, "the job has no kernel", "name at least one", {}}, Outcome::finished);
    } else if (!current_->sanitizer().empty()) {
      const Result<void> possible = checkSanitizer(current_->sanitizer(), device_);
      if (!possible) failRun(possible.error(), Outcome::finished);
    }
  }
}

/// The first job with a Python kernel: workers without an interpreter make room for ones with it.
void RunnerLoop::choosePython() {
  if (python_ || !current_ || busy_ != nullptr || !current_->needsPython()) return;
  python_ = true;
  while (!workers_.empty()) dismiss(*workers_.front());
}

namespace {
/// Which part of a job to make smaller.
std::string whatIsLarge(const Job& job) {
  std::size_t sources = 0;
  for (const KernelSource& kernel : job.kernels) sources += kernel.text.size() + kernel.referenceText.size();
  if (sources < maxFrameBytes / 2) return "run fewer cases at a time";
  return fmt::format("its {} kernels are {} of text: run fewer of them at a time", job.kernels.size(),
                     formatBytes(static_cast<double>(sources)));
}
}  // namespace

void RunnerLoop::assign() {
  if (!current_ || busy_ != nullptr) return;
  const auto ready =
      std::find_if(workers_.begin(), workers_.end(), [&](const auto& w) { return w->welcome && fits(*w); });
  if (ready == workers_.end()) return;
  for (const RunProgress::Loss& loss : std::exchange(idleLost_, {})) current_->loseIdle(loss);
  busy_ = ready->get();
  const Job job = current_->handOver(device_);
  if (busy_->process.send(RunJob{job}, current_->id())) return;
  failRun({Stage::job,
           fmt::format("the job is too large to send: more than {}",
                       formatBytes(static_cast<double>(maxFrameBytes))),
           whatIsLarge(job),
           {}},
          Outcome::finished);
}

void RunnerLoop::cancel(Runner::RunId id) {
  const auto queued =
      std::find_if(queue_.begin(), queue_.end(), [&](const auto& run) { return run.id == id; });
  if (queued != queue_.end()) {
    std::optional<ActiveRun> run(std::in_place, std::move(*queued), options_);
    queue_.erase(queued);
    run->finish(Outcome::cancelled);
    run.reset();
    inbox_.finished();
  } else if (current_ && current_->id() == id && cancelStep_ == 0) {
    if (busy_ == nullptr) return finishRun(Outcome::cancelled);
    busy_->process.send(Cancel{}, id);
    cancelStep_ = 1;
    nextCancelStep_ = Clock::now() + toDuration(options_.cancelGraceSeconds);
  }
}

void RunnerLoop::advanceCancel() {
  if (cancelStep_ == 0 || busy_ == nullptr || Clock::now() < nextCancelStep_) return;
  if (cancelStep_ == 1) {
    busy_->process.kill(SIGTERM);
    cancelStep_ = 2;
    nextCancelStep_ = Clock::now() + toDuration(options_.cancelGraceSeconds);
  } else {
    lose(*busy_, {Verdict::hung, "did not stop when it was told to", "", false});
  }
}

void RunnerLoop::finishRun(Outcome outcome) {
  std::unique_ptr<ActiveRun> run = std::move(current_);
  if (busy_ != nullptr) busy_->process.killOrphans();
  busy_ = nullptr;
  parting_.reset();
  cancelStep_ = 0;
  run->finish(outcome);
  run.reset();  // and with it the listener, before anybody who waits goes on
  inbox_.finished();
}

void RunnerLoop::failRun(const Error& error, Outcome outcome) {
  current_->fail(error);
  finishRun(outcome);
}

void RunnerLoop::tellStatus() {
  using State = WorkerStatus::State;
  const std::size_t ready = readyWorkers();
  WorkerStatus status;
  status.state = failure_           ? State::failed
                 : busy_ != nullptr ? State::busy
                 : ready > 0        ? State::ready
                 : wanted_          ? State::starting
                                    : State::stopped;
  status.target = target_;
  status.spareReady = ready > (busy_ != nullptr ? 0U : 1U);
  status.restarts = restarts_;
  if (failure_) status.failure = *failure_;
  if (told_ == status) return;
  told_ = status;
  inbox_.tell(status);
}

int RunnerLoop::pollLimit() const {
  auto next = Clock::now() + std::chrono::hours{1};
  const auto silence = toDuration(options_.heartbeatSeconds);
  for (const auto& worker : workers_) {
    next = std::min(next, worker->welcome ? worker->process.lastHeard() + silence : worker->helloBefore);
    next = std::min(next, nextPing_);
  }
  if (busy_ != nullptr) next = std::min(next, cancelStep_ > 0 ? nextCancelStep_ : current_->deadline());
  if (busy_ != nullptr) next = std::min(next, current_->nextTelling());
  if (parting_) next = std::min(next, parting_->before);
  if (wanted_ && !failure_ && nextLaunch_ > Clock::now()) next = std::min(next, nextLaunch_);
  const auto left = std::chrono::ceil<milliseconds>(next - Clock::now()).count();
  // A cancelled worker that is silent would otherwise be looked at without pause.
  return static_cast<int>(std::max<std::int64_t>(left, cancelStep_ > 0 ? 10 : 0));
}

void RunnerLoop::waitForSomething() {
  std::vector<pollfd> waiting{{inbox_.descriptor(), POLLIN, 0}};
  for (const auto& worker : workers_) worker->process.appendTo(waiting);
  for (const auto& worker : dying_) worker->process.appendEndTo(waiting);
  const int limit = pollLimit();
  ::poll(waiting.data(), waiting.size(), limit);
  // This process may have been stopped, as by Ctrl-Z, and its workers could not know: nobody's time.
  const auto now = Clock::now();
  if (const auto gap = now - lastTurn_ - milliseconds{limit}; gap > stoodStill) forgive(gap);
  lastTurn_ = now;
}

void RunnerLoop::forgive(Clock::duration gap) {
  for (const auto& worker : workers_) {
    worker->process.forgive(gap);
    worker->helloBefore += gap;
  }
  if (current_) current_->forgive(gap);
  if (parting_) parting_->before += gap;
  nextCancelStep_ += gap;
}

void RunnerLoop::shutDown() {
  if (current_) finishRun(Outcome::cancelled);
  while (!queue_.empty()) cancel(queue_.front().id);
  for (const auto& worker : workers_) {
    if (worker->welcome) worker->process.send(Bye{});
    worker->process.closeInput();
  }
  const auto deadline = Clock::now() + partingTime;
  for (const auto& worker : workers_)
    worker->process.ending(
        std::max(std::chrono::ceil<milliseconds>(deadline - Clock::now()), milliseconds{0}));
  while (!workers_.empty()) dismiss(*workers_.front());
  for (auto& worker : dying_) {
    // One that even SIGKILL does not end hangs in the driver; waiting for it would hang us too.
    if (!worker->process.ending(killTime)) [[maybe_unused]]
      auto* left = worker.release();
  }
}

}  // namespace wb
