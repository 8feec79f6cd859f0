// SPDX-License-Identifier: Apache-2.0
// How a service begins and ends, how runs end, and what is done now and then.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/service/run_service.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

constexpr auto upkeepPause = 1s;
/// How many pauses are between two tries of a device whose workers do not start.
constexpr int pausesBetweenTries = 30;
/// What a run takes in memory beside its events and its report, which is about as large as they are.
constexpr std::int64_t bytesOfRun = 4096;
/// No clock overflows by this many seconds.
constexpr double verySoonAndVeryLate = 1e8;

}  // namespace

RunService::RunService(ServiceOptions options, std::unique_ptr<RunJournal> journal,
                       const std::vector<std::string>& devices, const MakeRunner& makeRunner)
    : options_(std::move(options)), journal_(std::move(journal)), deviceNames_(devices), queue_(devices) {
  // Those of one device do not come one after the other, so that the first runs are spread over all.
  for (std::size_t turn = 0; turn < std::max<std::size_t>(1, options_.runsPerGpu); ++turn)
    for (const std::string& device : devices)
      if (turn == 0 || device.starts_with("cuda")) addPlace(device, makeRunner(device));
}

void RunService::addPlace(const std::string& device, std::unique_ptr<Runner> runner) {
  places_.push_back(std::make_unique<Place>());
  Place& place = *places_.back();
  place.device = device;
  place.runner = std::move(runner);
  place.runner->onStatus([this, &place](const WorkerStatus& status) {
    const std::lock_guard lock(mutex_);
    place.worker = status;
    work_.notify_all();
  });
}

Result<void> RunService::begin() {
  lastNumber_ = journal_->lastNumber();
  WB_TRY(std::vector<JournalRun> unfinished, journal_->unfinished());
  for (JournalRun& entry : unfinished) WB_DO(takeUp(std::move(entry)));
  for (const auto& place : places_)
    for (std::thread& thread : place->threads)
      thread = std::thread([this, &place = *place] { serve(place); });
  upkeepThread_ = std::thread([this] { upkeep(); });
  return {};
}

Result<void> RunService::takeUp(JournalRun entry) {
  const auto run = std::make_shared<Run>();
  run->entry = std::move(entry);
  RunStatus& status = run->entry.status;
  run->stamps = SteadyStamps::resumed(status.submittedAt);
  const double left = std::clamp(status.deadlineAt - secondsNow(), -verySoonAndVeryLate, verySoonAndVeryLate);
  run->deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(left));
  if (status.state == RunState::running) {
    const Result<Job> job = journal_->job(status.id);
    if (job) status.device = job->device;
    status.state = RunState::queued;
    status.startedAt = 0;
    ++status.restarts;
    ++run->entry.interruptions;
    WB_DO(journal_->putBack(run->entry));
  }
  run->wantedDevice = status.device;
  run->firstEvent = static_cast<std::uint64_t>(status.restarts) << 32;
  if (run->entry.interruptions >= mostInterruptions) {
    endUnrun(run,
             {RunState::failed, fmt::format("The service broke down {} times while it ran, and it is not "
                                            "tried again.",
                                            run->entry.interruptions)});
    return {};
  }
  const std::lock_guard lock(mutex_);
  enqueue(run);
  return {};
}

RunService::~RunService() {
  {
    const std::lock_guard lock(mutex_);
    isStopping_ = true;
    work_.notify_all();
    upkeep_.notify_all();
    for (const auto& place : places_)
      if (place->run) place->run->changed.notify_all();
  }
  for (const auto& place : places_) endWarmUp(*place);
  for (const auto& place : places_)
    for (std::thread& thread : place->threads)
      if (thread.joinable()) thread.join();
  if (upkeepThread_.joinable()) upkeepThread_.join();
  for (const auto& place : places_) place->runner.reset();
  saveUnsaved();
}

void RunService::endUnrun(const RunPointer& run, const Ending& ending, Place* place) {
  const Result<Job> job = journal_->job(run->entry.status.id);
  Course course{EventLog(run->firstEvent), startReport(job ? *job : Job{})};
  const Finished last{ending.state == RunState::failed ? Outcome::workerLost : Outcome::cancelled, 0};
  fold(course.report, last);
  course.events.push(last);
  {
    const std::lock_guard lock(mutex_);
    run->course = std::make_unique<Course>(std::move(course));
  }
  end(run, ending, place);
}

void RunService::end(const RunPointer& run, const Ending& ending, Place* place) {
  Lock lock(mutex_);
  JournalRun entry = run->entry;
  const Report report = run->course->report;
  (void)takeJob(*run);
  entry.status.state = ending.state;
  entry.status.reason = ending.reason;
  entry.status.endedAt = run->stamps.now();
  if (place != nullptr) makeFree(*place, entry.status);
  ++ending_;
  lock.unlock();
  const bool isSaved = write(entry, report);
  lock.lock();
  --ending_;
  run->entry = std::move(entry);
  run->isUnsaved = !isSaved;
  run->ended = Clock::now();
  run->bytes = 2 * static_cast<std::int64_t>(run->course->events.bytes()) + bytesOfRun;
  live_.erase(run->entry.number);
  byId_[run->entry.status.id] = run;
  recent_.push_back(run);
  recentBytes_ += run->bytes;
  counts_.finished += ending.state == RunState::finished ? 1 : 0;
  counts_.cancelled += ending.state == RunState::cancelled ? 1 : 0;
  counts_.expired += ending.state == RunState::expired ? 1 : 0;
  counts_.failed += ending.state == RunState::failed ? 1 : 0;
  idle_.notify_all();
  run->changed.notify_all();
}

/// Writes the end of a run, without the report where there is no room for it.
bool RunService::write(const JournalRun& entry, const Report& report) {
  const Result<void> written = journal_->end(entry, &report);
  if (written) return true;
  tell(fmt::format("The report of run {} is not kept: {}", entry.status.id, describe(written.error())));
  return journal_->end(entry, nullptr).has_value();
}

void RunService::upkeep() {
  Lock lock(mutex_);
  for (int pause = 0; !isStopping_; ++pause) {
    expire(lock);
    dropRecent();
    lock.unlock();
    saveUnsaved();
    forget(secondsNow() - options_.keepSeconds, options_.keepBytes);
    if (pause % pausesBetweenTries == 0) tryBrokenDevices();
    lock.lock();
    if (isStopping_) return;
    // A copy, since the deadline may be gone before the wait is over.
    Clock::time_point next = Clock::now() + upkeepPause;
    if (!deadlines_.empty()) next = std::min(next, deadlines_.begin()->first);
    upkeep_.wait_until(lock, next);
  }
}

void RunService::expire(Lock& lock) {
  std::vector<RunPointer> late;
  while (!deadlines_.empty() && deadlines_.begin()->first <= Clock::now()) {
    const std::uint64_t number = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    if (queue_.remove(number)) late.push_back(live_.at(number));
  }
  lock.unlock();
  for (const RunPointer& run : late)
    endUnrun(run, {RunState::expired, "Its deadline passed while it waited."});
  lock.lock();
}

void RunService::dropRecent() {
  const Clock::time_point now = Clock::now();
  while (!recent_.empty()) {
    const RunPointer& run = recent_.front();
    const std::int64_t rooms = now - run->ended < freshTime ? roomsOfFreshRuns : 1;
    const bool isTooMuch = recent_.size() > mostRecentRuns || recentBytes_ / rooms > options_.recentBytes;
    // What is not in the journal yet stays: there is no other copy of it.
    if (run->isUnsaved || (now - run->ended < recentTime && !isTooMuch)) return;
    recentBytes_ -= run->bytes;
    byId_.erase(run->entry.status.id);
    recent_.pop_front();
  }
}

void RunService::saveUnsaved() {
  std::vector<RunPointer> unsaved;
  {
    const std::lock_guard lock(mutex_);
    std::copy_if(recent_.begin(), recent_.end(), std::back_inserter(unsaved),
                 [](const RunPointer& run) { return run->isUnsaved; });
  }
  // Nothing of a run that is over changes any more.
  for (const RunPointer& run : unsaved) {
    if (!journal_->end(run->entry, &run->course->report)) return;
    const std::lock_guard lock(mutex_);
    run->isUnsaved = false;
  }
}

void RunService::tryBrokenDevices() {
  // The places stay as they are from the beginning to the end.
  for (const auto& place : places_) {
    {
      const std::lock_guard lock(mutex_);
      if (place->worker.state != WorkerStatus::State::failed || place->run) continue;
    }
    place->runner->start();
  }
}

std::size_t RunService::forget(double endedBefore, std::int64_t mostBytes) {
  std::size_t count = 0;
  while (true) {
    const std::vector<std::string> ids = journal_->forget(endedBefore, mostBytes);
    if (ids.empty()) return count;
    count += ids.size();
    const std::unordered_set<std::string> gone(ids.begin(), ids.end());
    const std::lock_guard lock(mutex_);
    std::erase_if(recent_, [&](const RunPointer& run) {
      if (gone.count(run->entry.status.id) == 0) return false;
      recentBytes_ -= run->bytes;
      byId_.erase(run->entry.status.id);
      return true;
    });
  }
}

void RunService::tell(const std::string& text) const {
  if (options_.tell) options_.tell(text);
}

}  // namespace wb
