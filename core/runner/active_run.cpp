// SPDX-License-Identifier: Apache-2.0
#include "core/runner/active_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/quantity.h"
#include "core/model/json/event_bounds.h"
#include "core/run/cross_check.h"
#include "core/run/fit.h"
#include "core/run/remaining.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {

namespace {

/// Messages of compilers and the like; nobody reads more.
constexpr int mostAsides = 10000;
constexpr double worthLogging = 10;

/// Where no tool was chosen, the one that finds most.
QueuedRun withTool(QueuedRun queued) {
  if (queued.job.sanitizer.empty()) queued.job.sanitizer = sanitizerTools.front();
  return queued;
}

Crowd crowdOn(const std::vector<Seat>& seats) {
  return {seats.size(), std::set<Seat>(seats.begin(), seats.end()).size()};
}

}  // namespace

ActiveRun::ActiveRun(QueuedRun queued, const RunnerOptions& options, std::vector<Seat> seats)
    : queued_(withTool(std::move(queued))),
      seats_(std::move(seats)),
      lossesToQuarantine_(options.crashesToQuarantine),
      report_(queued_.before ? *queued_.before : startReport(queued_.job)),
      crowd_(crowdOn(seats_)),
      desks_(seats_.size()) {
  if (!queued_.listener) queued_.listener = [](Runner::RunId, const Event&) {};
  rounds_ = roundsOf(queued_.job, crowd_);
  for (JobWork& piece : piecesOf(queued_.job, report_, rounds_.front(), crowd_))
    waiting_.push_back(std::move(piece));
}

void ActiveRun::record(const Event& event) {
  fold(report_, event);
  emit(event);
}

bool ActiveRun::isAnyAtWork() const {
  return std::any_of(desks_.begin(), desks_.end(), [](const Desk& desk) { return desk.work.has_value(); });
}

/// Whether a piece may be given out: while one worker compiles a kernel, the others wait and then find it in
/// the cache.
bool ActiveRun::isAvailable(const JobWork& piece) const {
  return std::all_of(piece.kernels.begin(), piece.kernels.end(), [&](const KernelWork& kernel) {
    if (report_.kernels[kernel.kernel]->compiled) return true;
    return std::none_of(desks_.begin(), desks_.end(), [&](const Desk& desk) {
      return desk.work && std::any_of(desk.work->kernels.begin(), desk.work->kernels.end(),
                                      [&](const KernelWork& other) { return other.kernel == kernel.kernel; });
    });
  });
}

bool ActiveRun::mayUse(std::size_t station) const {
  if (round_ >= rounds_.size() || !rounds_[round_].alone) return true;
  for (std::size_t other = 0; other < desks_.size(); ++other)
    if (other != station && seats_[other] == seats_[station] && isAtWork(other)) return false;
  return true;
}

std::optional<JobWork> ActiveRun::nextPiece(std::size_t station) {
  if (!mayUse(station)) return std::nullopt;
  for (auto piece = waiting_.begin(); piece != waiting_.end();) {
    if (!isAvailable(*piece)) {
      ++piece;
      continue;
    }
    JobWork rest = remaining(queued_.job, report_, *piece);
    piece = waiting_.erase(piece);
    if (!rest.kernels.empty()) return rest;
  }
  return std::nullopt;
}

std::optional<Job> ActiveRun::handOver(std::size_t station) {
  std::optional<JobWork> piece = nextPiece(station);
  if (!piece) return std::nullopt;
  Desk& desk = desks_[station];
  Job job = jobFor(queued_.job, *piece);
  job.device = seats_[station].device;
  wb::handOver(desk.at, *piece);
  desk.work = *std::move(piece);
  desk.heard = false;
  desk.clock.restart(queued_.job, report_, desk.at);
  return job;
}

bool ActiveRun::isSuperfluous(std::size_t station) const {
  const Desk& desk = desks_[station];
  return desk.work &&
         std::all_of(desk.work->kernels.begin(), desk.work->kernels.end(), [&](const KernelWork& each) {
           return report_.kernels[each.kernel]->failure || isClosed(report_, each.kernel);
         });
}

bool ActiveRun::isOver() {
  if (isAnyAtWork()) return false;
  while (true) {
    std::erase_if(waiting_, [&](const JobWork& piece) {
      return remaining(queued_.job, report_, piece).kernels.empty();
    });
    if (!waiting_.empty()) return false;
    if (round_ + 1 >= rounds_.size()) return true;
    ++round_;
    for (JobWork& piece : piecesOf(queued_.job, report_, rounds_[round_], crowd_))
      waiting_.push_back(std::move(piece));
  }
}

void ActiveRun::cancel() {
  isCancelled_ = true;
  isCut_ = isCut_ || !waiting_.empty() || round_ + 1 < rounds_.size();
  waiting_.clear();
  rounds_.resize(std::min(rounds_.size(), round_ + 1));
}

void ActiveRun::fail(const Error& error) {
  record(StageFailed{std::nullopt, error});
  waiting_.clear();
  rounds_.resize(std::min(rounds_.size(), round_ + 1));
}

void ActiveRun::tellOfLong(Clock::time_point now) {
  for (Desk& desk : desks_) {
    if (!desk.work || now < desk.clock.nextTelling()) continue;
    desk.clock.told(now);
    std::optional<SideStarted> at = caseUnderWay(report_, desk.at);
    if (!at) continue;
    at->seconds = desk.clock.seconds(now);
    record(*at);
    if (at->first && at->seconds >= worthLogging && !std::exchange(toldFirstCall_, true))
      say(fmt::format(
          "{}: the first call takes long, since the kernel compiles or tunes itself; it may take {}.",
          activity(queued_.job, desk.at), formatSeconds(patience(queued_.job, report_, desk.at))));
  }
}

ActiveRun::Clock::time_point ActiveRun::nextTelling() const {
  auto next = Clock::time_point::max();
  for (const Desk& desk : desks_)
    if (desk.work) next = std::min(next, desk.clock.nextTelling());
  return next;
}

void ActiveRun::forgive(Clock::duration gap) {
  stoodStill_ += gap;
  for (Desk& desk : desks_) desk.clock.forgive(gap);
}

void ActiveRun::forgive(std::size_t station, Clock::duration gap) {
  desks_[station].notHeard += gap;
  desks_[station].clock.forgive(gap);
}

std::string ActiveRun::overdue(std::size_t station) const {
  return wb::overdue(queued_.job, report_, desks_[station].at);
}

bool ActiveRun::isTiming() const {
  return std::any_of(desks_.begin(), desks_.end(),
                     [](const Desk& desk) { return desk.work && wb::isTiming(desk.at); });
}

std::string ActiveRun::take(std::size_t station, Event event) {
  Desk& desk = desks_[station];
  desk.heard = heardEver_ = true;
  boundTexts(event);
  if (auto* line = std::get_if<Log>(&event)) {
    log(std::move(*line), keptOfEvents_);
    return {};
  }
  Fit fits = fit(queued_.job, report_, *desk.work, desk.at, event);
  if (!fits.misfit.empty()) return std::move(fits.misfit);
  if (const auto* started = std::get_if<StepStarted>(&event); started && started->stage == Stage::time)
    desk.timingBegan = Clock::now();
  if (const auto* timing = resultIn<CaseTiming>(event)) {
    const std::chrono::duration<double> gone = Clock::now() - desk.timingBegan + stoodStill_ + desk.notHeard;
    if (std::string why = whyNotScored(*timing, gone.count()); !why.empty())
      std::get<StepDone>(event).result = NoResult{std::move(why)};
  }
  const bool aside = std::holds_alternative<Diagnosed>(event) || resultIn<Listed>(event) ||
                     std::holds_alternative<DeviceMeasured>(event);
  if (aside && ++asides_ > mostAsides) fits.ignored = true;
  if (fits.ignored) return {};
  // When several workers begin at once, each of them says so.
  const bool again = std::holds_alternative<JobStarted>(event) && std::exchange(hasBegun_, true);
  if (!again) record(event);
  if (follow(desk.at, event)) desk.clock.restart(queued_.job, report_, desk.at);
  if (desk.at.kernel < queued_.job.kernels.size()) kernel_ = desk.at.kernel;
  return {};
}

void ActiveRun::endPiece(std::size_t station) {
  desks_[station].work.reset();
}

void ActiveRun::putBack(Desk& desk, JobWork rest) {
  desk.work.reset();
  if (rest.kernels.empty()) return;
  waiting_.push_front(std::move(rest));
}

void ActiveRun::giveBack(std::size_t station) {
  Desk& desk = desks_[station];
  flushErrors(station);
  JobWork rest = remaining(queued_.job, report_, *desk.work);
  isCut_ = isCut_ || isCancelled_;
  putBack(desk, isCancelled_ ? JobWork{} : std::move(rest));
}

void ActiveRun::lose(std::size_t station, const Loss& loss) {
  ++losses_;
  flushErrors(station);
  Desk& desk = desks_[station];
  for (Event& event : afterLoss(queued_.job, report_, desk.at, loss, lossesToQuarantine_)) {
    if (auto* lost = std::get_if<WorkerLost>(&event)) {
      lost->seconds = seconds();
      say(describe(*lost) + ".");
    }
    record(event);
  }
  JobWork rest = *desk.work;
  const auto now = std::find_if(rest.kernels.begin(), rest.kernels.end(),
                                [&](const KernelWork& each) { return each.kernel == desk.at.kernel; });
  if (now != rest.kernels.end()) rest.kernels.erase(rest.kernels.begin(), now);
  putBack(desk, remaining(queued_.job, report_, rest));
}

void ActiveRun::leaveKernel(std::size_t station) {
  flushErrors(station);
  Desk& desk = desks_[station];
  JobWork rest = *desk.work;
  const auto now = std::find_if(rest.kernels.begin(), rest.kernels.end(),
                                [&](const KernelWork& each) { return each.kernel == desk.at.kernel; });
  // A worker that has said nothing yet about the job it got is done with none of its kernels.
  if (now != rest.kernels.end())
    rest.kernels.erase(rest.kernels.begin(), desk.at.isPreparing ? now : now + 1);
  putBack(desk, remaining(queued_.job, report_, rest));
}

void ActiveRun::loseIdle(const Loss& loss) {
  const WorkerLost lost{Blame::warpbench, std::nullopt,   "waiting for a job",
                        loss.reason,      loss.lastWords, seconds()};
  say(describe(lost) + ".");
  record(lost);
}

double ActiveRun::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

/// Each kernel that ran under the sanitizer has its result, also where nothing was found.
void ActiveRun::sayWhatWasSanitized() {
  if (!isSanitized()) return;
  for (std::uint32_t k = 0; k < report_.kernels.size(); ++k) {
    const auto& compiled = report_.kernels[k]->compiled;
    if (!compiled || !compiled->runs) continue;
    Sanitized& result = sanitized_[k];
    result.tool = queued_.job.sanitizer;
    record(StepDone{Stage::sanitize, k, std::nullopt, result});
  }
}

void ActiveRun::finish(Outcome outcome) {
  for (std::size_t station = 0; station < desks_.size(); ++station) flushErrors(station);
  if (outcome == Outcome::finished) sayWhatWasSanitized();
  if (dropped_ > 0)
    say(fmt::format("{} more of output were dropped; at most {} are kept.",
                    formatBytes(static_cast<double>(dropped_)),
                    formatBytes(static_cast<double>(queued_.job.limits.logBytes))));
  if (asides_ > mostAsides)
    say(fmt::format("{} more messages about kernels were dropped; at most {} are kept.", asides_ - mostAsides,
                    mostAsides));
  record(Finished{outcome, seconds()});
}

}  // namespace wb
