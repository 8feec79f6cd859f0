// SPDX-License-Identifier: Apache-2.0
#include "core/service/run_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <random>
#include <utility>

#include "core/service/run_title.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

/// After how many seconds another try is worth it for whoever found the disk full.
constexpr double fullDiskPause = 30;
constexpr int highestPriority = 100;

std::string newId() {
  std::random_device device;
  std::array<unsigned, 4> words{};
  for (unsigned& word : words) word = device();
  // Version 4, variant 1 (RFC 4122).
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", words[0], words[1] >> 16, words[1] & 0xfff,
                     (words[2] >> 16 & 0x3fff) | 0x8000, words[2] & 0xffff, words[3]);
}

std::size_t textIn(const Job& job) {
  std::size_t bytes = 0;
  for (const KernelSource& each : job.kernels) bytes += each.text.size() + each.referenceText.size();
  for (const Case& each : job.cases) bytes += each.args.size();
  return bytes;
}

std::size_t sourcesIn(const Job& job) {
  std::size_t hash = 0;
  for (const KernelSource& each : job.kernels)
    for (const std::string* text : {&each.text, &each.referenceText})
      hash = 31 * hash + std::hash<std::string>{}(*text);
  return hash;
}

/// No clock overflows by this.
std::chrono::milliseconds bounded(std::chrono::milliseconds wait) {
  return std::clamp<std::chrono::milliseconds>(wait, 0ms, 24h * 365);
}

/// Of several workers of a device, the one that says most of it: a device has failed where all have.
int worth(WorkerStatus::State state) {
  switch (state) {
    case WorkerStatus::State::busy:
      return 4;
    case WorkerStatus::State::ready:
      return 3;
    case WorkerStatus::State::starting:
      return 2;
    case WorkerStatus::State::stopped:
      return 1;
    case WorkerStatus::State::failed:
      break;
  }
  return 0;
}

}  // namespace

Result<std::unique_ptr<Service>> Service::open(ServiceOptions options, std::vector<std::string> devices,
                                               MakeRunner makeRunner) {
  WB_TRY(RunJournal::Opened opened, RunJournal::open(options.folder));
  if (!opened.remark.empty() && options.tell) options.tell(opened.remark);
  auto service = std::make_unique<RunService>(std::move(options), std::move(opened.journal),
                                              std::move(devices), std::move(makeRunner));
  WB_DO(service->begin());
  return std::unique_ptr<Service>(std::move(service));
}

std::optional<Error> RunService::whatIsWrong(const Submission& submission) const {
  const auto wrong = [](std::string text) { return Error{Stage::job, std::move(text)}; };
  const Job& job = submission.job;
  if (job.kernels.empty()) return wrong("The job has no kernel.");
  const auto fits = [&](const std::string& device) { return mayRunOn(job.device, device, deviceNames_); };
  if (std::none_of(deviceNames_.begin(), deviceNames_.end(), fits))
    return wrong(
        fmt::format("There is no device {} here; there is {}.", job.device, fmt::join(deviceNames_, ", ")));
  if (std::abs(submission.priority) > highestPriority)
    return wrong(
        fmt::format("A priority is from −{0} to {0}; {1} is none.", highestPriority, submission.priority));
  const double deadline = submission.deadlineSeconds;
  if (!(deadline >= 0 && deadline <= options_.longestDeadlineSeconds))
    return wrong(fmt::format("A deadline is at most {} s from now; {} s were asked for.",
                             options_.longestDeadlineSeconds, deadline));
  if (submission.note.size() > mostNoteBytes)
    return wrong(
        fmt::format("A note has at most {} bytes; this one has {}.", mostNoteBytes, submission.note.size()));
  return std::nullopt;
}

std::optional<Refusal> RunService::refusalFor(const std::string& client) const {
  const auto refusal = [](std::string text, double after) {
    return Refusal{{Stage::job, std::move(text), fmt::format("try again in {} s", after)}, after};
  };
  if (isDraining_ || isStopping_)
    return refusal("The service is about to end and takes no more runs.", retryAfter(meanSeconds_, 1));
  const std::size_t waiting = queue_.size() + acceptingCount_;
  if (waiting >= options_.mostQueued)
    return refusal(fmt::format("The queue is full: {} runs wait.", waiting),
                   retryAfter(meanSeconds_, places_.size()));
  const auto own = accepting_.find(client);
  const std::size_t waitingOfClient = queue_.sizeOf(client) + (own == accepting_.end() ? 0 : own->second);
  if (waitingOfClient >= options_.mostQueuedPerClient)
    return refusal(fmt::format("{} of your runs wait, and no client may have more.", waitingOfClient),
                   retryAfter(meanSeconds_, places_.size(), queue_.waitingClients()));
  return std::nullopt;
}

std::variant<std::string, Refusal> RunService::submit(Submission submission) {
  std::variant<std::string, Refusal> answer = accept(std::move(submission));
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    if (const Error* error = refusalToTell(*refusal)) tell("Runs are refused: " + describe(*error));
  }
  return answer;
}

const Error* RunService::refusalToTell(const Refusal& refusal) {
  const std::lock_guard lock(mutex_);
  ++counts_.refused;
  if (refusal.cause != Refusal::Cause::noDisk || Clock::now() < silentUntil_) return nullptr;
  silentUntil_ = Clock::now() + 1min;
  return &refusal.error;
}

std::variant<std::string, Refusal> RunService::accept(Submission submission) {
  if (const auto wrong = whatIsWrong(submission)) return Refusal{*wrong};
  Lock lock(mutex_);
  const Key key{submission.client, submission.idempotencyKey};
  // Whoever comes with the same key meanwhile waits until this one is decided.
  struct KeyInHand {
    ~KeyInHand() {
      if (!service) return;
      service->keysInHand_.erase(key);
      service->keys_.notify_all();
    }
    RunService* service = nullptr;
    const Key& key;
  };
  KeyInHand inHand{nullptr, key};
  if (!key.second.empty()) {
    keys_.wait(lock, [&] { return keysInHand_.count(key) == 0; });
    keysInHand_.insert(key);
    inHand.service = this;
    lock.unlock();
    const auto known = journal_->runOfKey(key.first, key.second);
    lock.lock();
    if (!known) return Refusal{known.error(), fullDiskPause, Refusal::Cause::noDisk};
    if (const auto& run = *known) {
      const std::string &before = run->requestHash, &now = submission.requestHash;
      if (before.empty() || now.empty() || before == now) return run->id;
      return Refusal{
          {Stage::job, "This idempotency key stands for another request, whose run is " + run->id + ".",
           "send another key with another request"},
          0,
          Refusal::Cause::keyIsTaken};
    }
  }
  if (auto refusal = refusalFor(submission.client)) return *std::move(refusal);

  const auto run = std::make_shared<Run>();
  run->entry.number = ++lastNumber_;
  run->entry.idempotencyKey = submission.idempotencyKey;
  run->entry.requestHash = submission.requestHash;
  run->entry.hasNote = !submission.note.empty();
  const double seconds =
      submission.deadlineSeconds > 0 ? submission.deadlineSeconds : options_.deadlineSeconds;
  run->deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  RunStatus& status = run->entry.status;
  status.id = newId();
  status.client = submission.client;
  status.priority = submission.priority;
  status.submittedAt = run->stamps.began();
  status.deadlineAt = status.submittedAt + seconds;
  status.device = run->wantedDevice = submission.job.device;
  status.title = runTitle(submission.job);
  run->sources = sourcesIn(submission.job);
  run->isStrict = submission.job.strict;
  ++acceptingCount_;
  ++accepting_[status.client];
  lock.unlock();
  const Result<void> written = journal_->accept(run->entry, submission.job, submission.note);
  lock.lock();
  --acceptingCount_;
  if (--accepting_[status.client] == 0) accepting_.erase(status.client);
  if (!written) return Refusal{written.error(), fullDiskPause, Refusal::Cause::noDisk};
  if (jobsAtHand_ < mostJobsAtHand && textIn(submission.job) <= mostTextAtHand) {
    run->job = std::move(submission.job);
    ++jobsAtHand_;
  }
  enqueue(run);
  ++counts_.accepted;
  return status.id;
}

void RunService::enqueue(const RunPointer& run) {
  const RunStatus& status = run->entry.status;
  live_[run->entry.number] = run;
  byId_[status.id] = run;
  deadlines_.emplace(run->deadline, run->entry.number);
  queue_.add({run->entry.number, status.client, status.priority, run->wantedDevice});
  work_.notify_all();
  if (deadlines_.begin()->second == run->entry.number) upkeep_.notify_all();
}

std::optional<Job> RunService::takeJob(Run& run) {
  if (run.job) --jobsAtHand_;
  return std::exchange(run.job, std::nullopt);
}

RunService::RunPointer RunService::find(const std::string& id) const {
  const auto found = byId_.find(id);
  return found == byId_.end() ? nullptr : found->second;
}

RunStatus RunService::statusOf(const Run& run) const {
  RunStatus status = run.entry.status;
  if (status.state == RunState::queued) status.ahead = queue_.ahead(run.entry.number);
  return status;
}

RunStatus RunService::withNote(RunStatus status, bool hasNote) const {
  if (hasNote) status.note = journal_->note(status.id);
  return status;
}

bool RunService::cancel(const std::string& id, const std::string& reason) {
  Lock lock(mutex_);
  const RunPointer run = find(id);
  if (!run) {
    lock.unlock();
    return journal_->find(id).has_value();
  }
  if (queue_.remove(run->entry.number)) {
    deadlines_.erase({run->deadline, run->entry.number});
    lock.unlock();
    endUnrun(run, {RunState::cancelled, reason});
  } else if (run->entry.status.state == RunState::running && !run->wantedEnd) {
    run->wantedEnd = Ending{RunState::cancelled, reason};
    run->changed.notify_all();
  }
  return true;
}

std::optional<RunStatus> RunService::status(const std::string& id) const {
  Lock lock(mutex_);
  const RunPointer run = find(id);
  if (!run) {
    lock.unlock();
    return journal_->find(id);
  }
  RunStatus status = statusOf(*run);
  const bool hasNote = run->entry.hasNote;
  lock.unlock();
  return withNote(std::move(status), hasNote);
}

std::vector<RunStatus> RunService::runs(std::size_t most) const {
  std::vector<RunStatus> found;
  std::set<std::string> told;
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = live_.rbegin(); entry != live_.rend() && found.size() < most; ++entry)
      found.push_back(statusOf(*entry->second));
    for (auto run = recent_.rbegin(); run != recent_.rend() && found.size() < most; ++run) {
      found.push_back((*run)->entry.status);
      told.insert(found.back().id);
    }
  }
  if (found.size() >= most) return found;
  for (RunStatus& status : journal_->ended(most))
    if (found.size() < most && told.count(status.id) == 0) found.push_back(std::move(status));
  return found;
}

std::shared_ptr<const Report> RunService::report(const std::string& id) const {
  Lock lock(mutex_);
  const RunPointer run = find(id);
  if (run && run->course) return std::make_shared<const Report>(run->course->report);
  lock.unlock();
  if (!run) return journal_->report(id);
  const Result<Job> job = journal_->job(id);
  return job ? std::make_shared<const Report>(startReport(*job)) : journal_->report(id);
}

EventPage RunService::events(const std::string& id, std::uint64_t first,
                             std::chrono::milliseconds wait) const {
  EventPage page;
  page.first = page.next = first;
  page.isLast = page.areForgotten = true;
  Lock lock(mutex_);
  const RunPointer run = find(id);
  if (!run) return page;
  page.areForgotten = false;
  const auto isOverNow = [&] { return isOver(run->entry.status.state); };
  run->changed.wait_for(lock, bounded(wait),
                        [&] { return isOverNow() || (run->course && run->course->events.hasFrom(first)); });
  if (run->course) page = run->course->events.from(first);
  page.isLast = isOverNow();
  return page;
}

std::optional<RunStatus> RunService::waitFor(const std::string& id, std::chrono::milliseconds wait,
                                             const std::function<bool()>& isWanted) {
  const Clock::time_point before = Clock::now() + bounded(wait);
  Lock lock(mutex_);
  const RunPointer run = find(id);
  if (!run) {
    lock.unlock();
    return journal_->find(id);
  }
  ++run->waiters;
  while (!isOver(run->entry.status.state) && Clock::now() < before) {
    const Clock::time_point turn = isWanted ? std::min(before, Clock::now() + 100ms) : before;
    if (run->changed.wait_until(lock, turn, [&] { return isOver(run->entry.status.state); }) || !isWanted)
      continue;
    lock.unlock();
    const bool goesOn = isWanted();
    lock.lock();
    if (goesOn) continue;
    const bool isLast = run->waiters == 1;
    lock.unlock();
    if (isLast) cancel(id, "Whoever waited for it went away.");
    lock.lock();
    break;
  }
  --run->waiters;
  RunStatus status = statusOf(*run);
  const bool hasNote = run->entry.hasNote;
  lock.unlock();
  return withNote(std::move(status), hasNote);
}

KeptRuns RunService::kept() const {
  return journal_->kept(secondsNow());
}

ServiceCounts RunService::counts() const {
  const std::lock_guard lock(mutex_);
  ServiceCounts counts = counts_;
  counts.queued = queue_.size();
  for (const auto& place : places_) counts.running += place->run ? 1 : 0;
  counts.uptimeSeconds = std::chrono::duration<double>(Clock::now() - started_).count();
  return counts;
}

std::vector<DeviceState> RunService::devices() const {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceState> states;
  for (const std::string& device : deviceNames_) {
    DeviceState& state = states.emplace_back();
    state.device = device;
    int restarts = 0;
    bool isFirst = true;
    for (const auto& place : places_) {
      if (place->device != device) continue;
      restarts += place->worker.restarts;
      if (std::exchange(isFirst, false) || worth(place->worker.state) > worth(state.worker.state))
        state.worker = place->worker;
      if (place->run) state.runs.push_back(place->run->entry.status.id);
      if (!place->noWorker.empty()) state.noWorker = place->noWorker;
    }
    state.worker.restarts = restarts;
  }
  return states;
}

void RunService::drain(std::chrono::milliseconds wait) {
  {
    const std::lock_guard lock(mutex_);
    isDraining_ = true;
  }
  for (const auto& place : places_) endWarmUp(*place);
  Lock lock(mutex_);
  idle_.wait_for(lock, bounded(wait), [&] {
    return ending_ == 0 && std::none_of(places_.begin(), places_.end(),
                                        [](const auto& place) { return place->run != nullptr; });
  });
}

}  // namespace wb
