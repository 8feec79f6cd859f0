// SPDX-License-Identifier: Apache-2.0
// What runs: each device takes one run after another and sees it to its end.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/service/run_service.h"

namespace wb {
namespace {

/// The weight of the last run in the mean duration.
constexpr double weightOfLast = 0.1;
/// How many sources a worker is taken to have at hand: so many processes of strictly judged kernels it keeps.
constexpr std::size_t mostKnown = 8;
/// A free place looks for kernels that it has at hand among so many runs whose turn comes soon.
constexpr std::size_t mostLookedAt = 64;
/// It leaves a run to those that have its kernels at hand, also while they are at work, as long as no more
/// such runs wait for each of them, and no longer than some runs take, in seconds.
constexpr std::size_t mostAlike = 6;
constexpr double runsOfPatience = 2, leastPatience = 2, mostPatience = 10;

}  // namespace

void RunService::serve(Place& place) {
  Lock lock(mutex_);
  while (takeNext(lock, place)) {
    lock.unlock();
    perform(place);
    lock.lock();
  }
}

bool RunService::takeNext(Lock& lock, Place& place) {
  std::optional<WaitingRun> taken;
  ++place.waiting;
  while (!isStopping_) {
    const Choice choice = place.run || isDraining_ ? Choice{} : choose(place);
    if ((taken = queue_.take(choice.number))) break;
    if (choice.again == Clock::time_point::max())
      work_.wait(lock);
    else
      work_.wait_until(lock, choice.again);
  }
  --place.waiting;
  if (!taken) return false;
  place.run = live_.at(taken->number);
  std::erase(place.known, place.run->sources);
  place.known.push_back(place.run->sources);
  if (place.known.size() > mostKnown) place.known.pop_front();
  // Another place may have left this run to this one, and have none now.
  if (queue_.size() > 0) work_.notify_all();
  place.job = takeJob(*place.run);
  deadlines_.erase({place.run->deadline, taken->number});
  RunStatus& status = place.run->entry.status;
  status.state = RunState::running;
  status.device = place.device;
  status.startedAt = place.run->stamps.now();
  counts_.waited += std::max(0.0, status.startedAt - status.submittedAt);
  return true;
}

RunService::Choice RunService::choose(const Place& place) {
  const bool leavesToOthers = place.worker.state == WorkerStatus::State::failed && canRunElsewhere(place);
  const auto taking = leavesToOthers ? RunQueue::Taking::named : RunQueue::Taking::any;
  const std::vector<std::uint64_t> numbers = queue_.turns(place.device, mostLookedAt, taking);
  std::unordered_map<std::size_t, std::size_t> alike;
  for (const std::uint64_t number : numbers) ++alike[live_.at(number)->sources];
  Choice choice;
  for (const std::uint64_t number : numbers) {
    Run& run = *live_.at(number);
    if (place.knows(run.sources)) return {number};
    const Clock::time_point until = leavesUntil(run, alike[run.sources]);
    if (until <= Clock::now()) return {number};
    choice.again = std::min(choice.again, until);
  }
  return choice;
}

/// One that has no work takes it at once. Of one that is at work much is expected only where its kernels
/// would need processes elsewhere, which takes longer than some runs.
RunService::Clock::time_point RunService::leavesUntil(Run& run, std::size_t alike) const {
  std::size_t places = 0;
  for (const auto& other : places_) {
    if (other->worker.state == WorkerStatus::State::failed || !other->knows(run.sources) ||
        !mayRunOn(run.wantedDevice, other->device, deviceNames_))
      continue;
    if (!other->run && other->waiting > 0) return Clock::time_point::max();
    ++places;
  }
  if (!run.isStrict || alike > mostAlike * places) return Clock::time_point::min();
  if (!run.leftSince) run.leftSince = Clock::now();
  const std::chrono::duration<double> patience(
      std::clamp(runsOfPatience * meanSeconds_, leastPatience, mostPatience));
  const auto until = *run.leftSince + std::chrono::duration_cast<Clock::duration>(patience);
  return until < run.deadline ? until : Clock::time_point::min();
}

/// Whether another device takes what may run on any.
bool RunService::canRunElsewhere(const Place& place) const {
  return std::any_of(places_.begin(), places_.end(), [&](const auto& other) {
    return other.get() != &place && other->worker.state != WorkerStatus::State::failed &&
           mayRunOn("auto", other->device, deviceNames_);
  });
}

void RunService::perform(Place& place) {
  const RunPointer run = place.run;
  // Nobody else changes the entry of a run that is on a device.
  Result<Job> job = place.job ? *std::exchange(place.job, std::nullopt) : journal_->job(run->entry.status.id);
  if (!job) {
    tell(fmt::format("The job of run {} cannot be read: {}", run->entry.status.id, describe(job.error())));
    return endUnrun(run, {RunState::failed, "Its job cannot be read any more."}, &place);
  }
  // A runner knows no "auto".
  job->device = place.device;
  // The others on its GPU may be slow, and hang; its own deadline ends it all the same.
  if (options_.runsPerGpu > 1) job->limits.waitSeconds = options_.longestDeadlineSeconds;
  {
    const std::lock_guard lock(mutex_);
    run->course = std::make_unique<Course>(Course{EventLog(run->firstEvent), startReport(*job)});
    run->hasFinished = false;
  }
  const auto listener = [this, run](Runner::RunId, const Event& event) { take(*run, event); };
  // Before its worker begins: a run that breaks this process down at once has to count as one that did.
  if (const auto written = journal_->start(run->entry); !written) tell(describe(written.error()));
  const Runner::RunId id = place.runner->submit(*std::move(job), listener);
  awaitEnd(place, id);
  conclude(place);
}

void RunService::Course::endPart(const std::string& name) {
  const auto now = Clock::now();
  parts[name] += std::chrono::duration<double>(now - std::exchange(lastPart, now)).count();
}

/// "run 5a2f…: 0.001 s in the queue, 0.20 s worker, 0.31 s compile".
void RunService::tellCourse(const RunStatus& status, const Course& course) const {
  if (!options_.tellCourse) return;
  std::string text = fmt::format("run {}: {:.3f} s queue", status.id, status.startedAt - status.submittedAt);
  for (const auto& [name, seconds] : course.parts) text += fmt::format(", {:.3f} s {}", seconds, name);
  options_.tellCourse(text);
}

void RunService::take(Run& run, const Event& event) {
  const std::lock_guard lock(mutex_);
  if (std::holds_alternative<JobStarted>(event)) run.course->endPart("worker");
  if (const auto* done = std::get_if<StepDone>(&event)) run.course->endPart(std::string(name(done->stage)));
  if (std::holds_alternative<Finished>(event)) run.course->endPart("end");
  fold(run.course->report, event);
  run.course->events.push(event);
  if (std::holds_alternative<WorkerLost>(event)) ++counts_.workersLost;
  if (std::holds_alternative<Finished>(event)) run.hasFinished = true;
  run.changed.notify_all();
}

void RunService::awaitEnd(Place& place, Runner::RunId id) {
  Run& run = *place.run;
  Lock lock(mutex_);
  run.changed.wait_until(lock, run.deadline, [&] { return run.hasFinished || run.wantedEnd || isStopping_; });
  if (run.hasFinished) return;
  if (!run.wantedEnd && !isStopping_)
    run.wantedEnd = Ending{RunState::expired, "Its deadline passed while it ran."};
  lock.unlock();
  place.runner->cancel(id);
  lock.lock();
  run.changed.wait(lock, [&] { return run.hasFinished; });
}

void RunService::conclude(Place& place) {
  const RunPointer run = place.run;
  Lock lock(mutex_);
  const Outcome outcome = run->course->report.outcome;
  const std::optional<Error> failure = run->course->report.failure;
  const std::optional<Ending> wanted = run->wantedEnd;
  const bool isStopping = isStopping_;
  const bool hasNoWorker = outcome == Outcome::workerLost;
  if (hasNoWorker || outcome == Outcome::finished)
    place.noWorker = hasNoWorker ? (failure ? failure->text : "none could be started") : "";
  const bool goesElsewhere = outcome == Outcome::workerLost && !wanted && run->wantedDevice == "auto" &&
                             canRunElsewhere(place) && ++run->failedStarts < places_.size();
  lock.unlock();
  // Nobody else changes what a run has said once its runner is done with it.
  tellCourse(run->entry.status, *run->course);

  if (hasNoWorker) {
    const std::string reason = fmt::format("No worker could be started on {}.", place.device);
    tell(failure ? fmt::format("{} {}", reason, describe(*failure)) : reason);
    if (goesElsewhere) return putBack(place);
    end(run, wanted.value_or(Ending{RunState::failed, reason}), &place);
  } else if (outcome == Outcome::cancelled && !wanted && isStopping) {
    return putBack(place);
  } else if (outcome == Outcome::cancelled) {
    end(run, wanted.value_or(Ending{}), &place);
  } else {
    end(run, {RunState::finished, ""}, &place);
  }
}

void RunService::putBack(Place& place) {
  const RunPointer run = place.run;
  Lock lock(mutex_);
  JournalRun entry = run->entry;
  entry.status.state = RunState::queued;
  entry.status.startedAt = 0;
  entry.status.device = run->wantedDevice;
  if (isStopping_) ++entry.status.restarts;
  lock.unlock();
  if (const auto written = journal_->putBack(entry); !written) tell(describe(written.error()));
  lock.lock();
  if (const std::optional<Ending> wanted = run->wantedEnd) {
    lock.unlock();
    return end(run, *wanted, &place);
  }
  run->entry = std::move(entry);
  run->firstEvent = firstEventAfter(run->course->events.next());
  run->course.reset();
  makeFree(place, run->entry.status);
  enqueue(run);
}

void RunService::makeFree(Place& place, const RunStatus& status) {
  if (isOver(status.state)) {
    const double seconds = std::max(0.0, status.endedAt - status.startedAt);
    counts_.ran += seconds;
    meanSeconds_ += weightOfLast * (seconds - meanSeconds_);
  }
  queue_.release(status.client);
  place.run.reset();
  work_.notify_all();
  idle_.notify_all();
}

}  // namespace wb
