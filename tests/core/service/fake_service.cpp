// SPDX-License-Identifier: Apache-2.0
#include "tests/core/service/fake_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/service/run_title.h"

namespace wb {

std::string fakeRunId(std::size_t number) {
  return fmt::format("00000000-0000-4000-8000-{:012}", number);
}

FakeService::FakeService(std::vector<std::string> devices) {
  for (std::string& device : devices) {
    DeviceState state;
    state.device = std::move(device);
    state.worker.state = WorkerStatus::State::ready;
    devices_.push_back(std::move(state));
  }
}

void FakeService::onSubmit(OnSubmit action) {
  const std::lock_guard lock(mutex_);
  onSubmit_ = std::move(action);
}

void FakeService::refuseAll(std::optional<Refusal> refusal) {
  const std::lock_guard lock(mutex_);
  refusal_ = std::move(refusal);
}

void FakeService::start(const std::string& id, const std::string& device) {
  const std::lock_guard lock(mutex_);
  Run& run = at(id);
  run.status.state = RunState::running;
  run.status.startedAt = now_;
  run.status.device = device;
  for (DeviceState& state : devices_)
    if (state.device == device) state.runs = {id};
  changed_.notify_all();
}

void FakeService::say(const std::string& id, Event event) {
  const std::lock_guard lock(mutex_);
  take(at(id), std::move(event));
}

void FakeService::take(Run& run, Event event) {
  fold(run.report, event);
  run.events.push_back(std::make_shared<const Event>(std::move(event)));
  changed_.notify_all();
}

void FakeService::end(const std::string& id, RunState state, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  finish(at(id), state, reason);
}

void FakeService::finish(Run& run, RunState state, const std::string& reason) {
  if (isOver(run.status.state)) return;
  if (run.report.outcome == Outcome::running) {
    const bool isCut = state == RunState::cancelled || state == RunState::expired;
    const Outcome other = isCut ? Outcome::cancelled : Outcome::workerLost;
    take(run, Finished{state == RunState::finished ? Outcome::finished : other, now_ - run.status.startedAt});
  }
  run.status.state = state;
  run.status.reason = reason;
  run.status.endedAt = now_;
  for (DeviceState& device : devices_) std::erase(device.runs, run.status.id);
  changed_.notify_all();
}

void FakeService::answer(const std::string& id, const std::vector<Event>& events) {
  start(id);
  for (const Event& event : events) say(id, event);
  end(id);
}

void FakeService::dropEvents(const std::string& id, std::uint64_t before) {
  const std::lock_guard lock(mutex_);
  Run& run = at(id);
  const auto count = std::min<std::uint64_t>(before - run.firstEvent, run.events.size());
  run.events.erase(run.events.begin(), run.events.begin() + static_cast<std::ptrdiff_t>(count));
  run.firstEvent += count;
}

void FakeService::forgetEnded() {
  const std::lock_guard lock(mutex_);
  std::erase_if(runs_, [](const std::unique_ptr<Run>& run) { return isOver(run->status.state); });
}

void FakeService::forgetEvents(const std::string& id) {
  const std::lock_guard lock(mutex_);
  at(id).isForgotten = true;
}

void FakeService::setDevice(std::size_t number, DeviceState state) {
  const std::lock_guard lock(mutex_);
  devices_.at(number) = std::move(state);
}

void FakeService::setCounts(const ServiceCounts& counts) {
  const std::lock_guard lock(mutex_);
  counts_ = counts;
}

void FakeService::setClock(double now) {
  const std::lock_guard lock(mutex_);
  now_ = now;
}

std::vector<std::string> FakeService::waitForRuns(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return runs_.size() >= count; });
  std::vector<std::string> ids;
  for (const auto& run : runs_) ids.push_back(run->status.id);
  return ids;
}

RunStatus FakeService::waitForEnd(const std::string& id) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return isOver(at(id).status.state); });
  return statusOf(at(id));
}

Submission FakeService::submission(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const Run* run = find(id);
  return run ? run->submission : Submission{};
}

bool FakeService::isDraining() const {
  const std::lock_guard lock(mutex_);
  return isDraining_;
}

std::variant<std::string, Refusal> FakeService::submit(Submission submission) {
  OnSubmit action;
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    if (refusal_) {
      ++counts_.refused;
      return *refusal_;
    }
    const std::pair key{submission.client, submission.idempotencyKey};
    if (const auto known = keys_.find(key); known != keys_.end()) {
      if (at(known->second).submission.requestHash == submission.requestHash) return known->second;
      return Refusal{Error{Stage::job, "the key is taken"}, 0, Refusal::Cause::keyIsTaken};
    }
    auto run = std::make_unique<Run>();
    id = run->status.id = fakeRunId(++accepted_);
    run->status.client = submission.client;
    run->status.priority = submission.priority;
    run->status.submittedAt = now_;
    run->status.deadlineAt = now_ + (submission.deadlineSeconds > 0 ? submission.deadlineSeconds : 600);
    run->status.device = submission.job.device;
    run->status.title = runTitle(submission.job);
    run->status.note = submission.note;
    run->report = startReport(submission.job);
    run->submission = std::move(submission);
    if (!key.second.empty()) keys_[key] = id;
    runs_.push_back(std::move(run));
    ++counts_.accepted;
    action = onSubmit_;
    changed_.notify_all();
  }
  if (action) action(*this, id);
  return id;
}

bool FakeService::cancel(const std::string& id, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (find(id) == nullptr) return false;
  finish(at(id), RunState::cancelled, reason);
  return true;
}

const FakeService::Run* FakeService::find(const std::string& id) const {
  for (const auto& run : runs_)
    if (run->status.id == id) return run.get();
  return nullptr;
}

FakeService::Run& FakeService::at(const std::string& id) {
  for (const auto& run : runs_)
    if (run->status.id == id) return *run;
  throw std::out_of_range("no such run: " + id);
}

RunStatus FakeService::statusOf(const Run& run) const {
  RunStatus status = run.status;
  if (status.state != RunState::queued) return status;
  for (const auto& other : runs_) {
    if (other.get() == &run) break;
    if (other->status.state == RunState::queued) ++status.ahead;
  }
  return status;
}

std::optional<RunStatus> FakeService::status(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const Run* run = find(id);
  return run ? std::optional(statusOf(*run)) : std::nullopt;
}

std::vector<RunStatus> FakeService::runs(std::size_t most) const {
  const std::lock_guard lock(mutex_);
  std::vector<RunStatus> found;
  for (const bool over : {false, true})
    for (auto run = runs_.rbegin(); run != runs_.rend() && found.size() < most; ++run)
      if (isOver((*run)->status.state) == over) found.push_back(statusOf(**run));
  for (RunStatus& status : found) status.note.clear();
  return found;
}

std::shared_ptr<const Report> FakeService::report(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const Run* run = find(id);
  return run ? std::make_shared<const Report>(run->report) : nullptr;
}

EventPage FakeService::events(const std::string& id, std::uint64_t first,
                              std::chrono::milliseconds wait) const {
  std::unique_lock lock(mutex_);
  const auto last = [](const Run& run) { return run.firstEvent + run.events.size(); };
  changed_.wait_for(lock, wait, [&] {
    const Run* run = find(id);
    return run == nullptr || isOver(run->status.state) || last(*run) > first;
  });
  EventPage page;
  page.first = page.next = first;
  page.isLast = page.areForgotten = true;
  const Run* run = find(id);
  if (run == nullptr || run->isForgotten) return page;
  page.areForgotten = false;
  page.isLast = isOver(run->status.state);
  page.first = std::max(first, run->firstEvent);
  page.next = std::max(page.first, last(*run));
  for (std::uint64_t number = page.first; number < page.next; ++number)
    page.events.push_back(run->events[number - run->firstEvent]);
  return page;
}

std::optional<RunStatus> FakeService::waitFor(const std::string& id, std::chrono::milliseconds wait,
                                              const std::function<bool()>& isWanted) {
  const auto before = std::chrono::steady_clock::now() + wait;
  std::unique_lock lock(mutex_);
  while (true) {
    const Run* run = find(id);
    if (run == nullptr) return std::nullopt;
    const auto now = std::chrono::steady_clock::now();
    if (isOver(run->status.state) || now >= before) return statusOf(*run);
    if (isWanted) {
      lock.unlock();
      const bool wanted = isWanted();
      if (!wanted) cancel(id, "Nobody waits for it any more.");
      lock.lock();
      if (!wanted) continue;
    }
    const auto turn = std::min(before, now + std::chrono::milliseconds{isWanted ? 5 : 100});
    changed_.wait_until(lock, turn);
  }
}

KeptRuns FakeService::kept() const {
  const std::lock_guard lock(mutex_);
  KeptRuns kept;
  for (const auto& run : runs_) {
    ++kept.byState[run->status.state];
    kept.meanAge += (now_ - run->status.submittedAt) / static_cast<double>(runs_.size());
  }
  return kept;
}

ServiceCounts FakeService::counts() const {
  const std::lock_guard lock(mutex_);
  ServiceCounts counts = counts_;
  for (const auto& run : runs_) {
    const RunState state = run->status.state;
    counts.queued += state == RunState::queued ? 1 : 0;
    counts.running += state == RunState::running ? 1 : 0;
    counts.finished += state == RunState::finished ? 1 : 0;
    counts.cancelled += state == RunState::cancelled ? 1 : 0;
    counts.expired += state == RunState::expired ? 1 : 0;
    counts.failed += state == RunState::failed ? 1 : 0;
  }
  return counts;
}

std::vector<DeviceState> FakeService::devices() const {
  const std::lock_guard lock(mutex_);
  return devices_;
}

void FakeService::drain(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  isDraining_ = true;
  refusal_ = Refusal{{Stage::job, "The service is about to end and takes no more runs."}, 5};
  changed_.wait_for(lock, wait, [&] {
    return std::none_of(runs_.begin(), runs_.end(), [](const std::unique_ptr<Run>& run) {
      return run->status.state == RunState::running;
    });
  });
}

}  // namespace wb
