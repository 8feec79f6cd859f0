// SPDX-License-Identifier: Apache-2.0
#include "core/runner/active_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <utility>

#include "core/base/quantity.h"
#include "core/model/json/event_bounds.h"
#include "core/model/log_sources.h"
#include "core/run/cross_check.h"
#include "core/run/fit.h"
#include "core/runner/sanitizer/sanitizer.h"

namespace wb {

namespace {

/// Messages of compilers and the like; nobody reads more.
constexpr int mostAsides = 10000;
constexpr double worthLogging = 10;

std::string nowByIso8601() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// Where no tool was chosen, the one that finds most.
QueuedRun withTool(QueuedRun queued) {
  if (queued.job.sanitizer.empty()) queued.job.sanitizer = sanitizerTools.front();
  return queued;
}

/// The number of each seat's device.
std::vector<std::size_t> devicesOf(const std::vector<Seat>& seats) {
  std::map<Seat, std::size_t> numbers;
  std::vector<std::size_t> devices;
  devices.reserve(seats.size());
  for (const Seat& seat : seats)
    devices.push_back(seat.compilesAhead ? Dealer::noDevice
                                         : numbers.emplace(seat, numbers.size()).first->second);
  return devices;
}

std::vector<AheadRun::Place> placesIn(const std::vector<Seat>& seats) {
  std::vector<AheadRun::Place> places;
  places.reserve(seats.size());
  for (const Seat& seat : seats) places.push_back({describe(seat), seat.title, seat.compilesAhead});
  return places;
}

}  // namespace

ActiveRun::ActiveRun(QueuedRun queued, const RunnerOptions& options, std::vector<Seat> seats)
    : queued_(withTool(std::move(queued))),
      seats_(std::move(seats)),
      lossesToQuarantine_(options.crashesToQuarantine),
      report_(queued_.before ? *queued_.before : startReport(queued_.job)),
      parts_(queued_.job, report_),
      ahead_(queued_.job, report_, parts_, placesIn(seats_),
             [this](std::string_view source, const std::string& text) {
               emit(Log{std::string(source), text});
             }),
      dealer_(queued_.job, report_, devicesOf(seats_), &ahead_.farm()),
      desks_(seats_.size()) {
  if (!queued_.listener) queued_.listener = [](Runner::RunId, const Event&) {};
}

std::optional<CompileAhead> ActiveRun::handOverAhead(std::size_t station) {
  if (isCancelled_) return std::nullopt;
  auto order = ahead_.handOver(station, dealer_.uncompiled());
  if (!order) return order;
  order->job.device = seats_[station].device;
  desks_[station].heard = false;
  return order;
}

bool ActiveRun::mayUse(std::size_t station) const {
  return seats_[station].compilesAhead ? ahead_.farm().mayUse(station, dealer_.uncompiled())
                                       : dealer_.mayUse(station);
}

bool ActiveRun::isSuperfluous(std::size_t station) const {
  return isAhead(station) ? ahead_.farm().isSuperfluous(station, dealer_.uncompiled())
                          : dealer_.isSuperfluous(station);
}

bool ActiveRun::isOver() {
  // This begins the next round, whoever is still compiling.
  const bool isAllRun = dealer_.isOver();
  return isAllRun && !ahead_.farm().isAnyAtWork();
}

void ActiveRun::record(const Event& event) {
  fold(report_, event);
  emit(event);
}

std::optional<Job> ActiveRun::handOver(std::size_t station) {
  std::optional<JobWork> piece = dealer_.next(station);
  if (!piece) return std::nullopt;
  piece->after = seconds();
  Job job = parts_.of(*std::move(piece));
  job.device = seats_[station].device;
  desks_[station].heard = false;
  restartClock(station);
  return job;
}

std::optional<std::size_t> ActiveRun::recall(std::size_t station) {
  return isCancelled_ ? std::nullopt : dealer_.recall(station, seconds());
}

void ActiveRun::restartClock(std::size_t station) {
  desks_[station].clock.restart(queued_.job, report_, dealer_.at(station));
}

void ActiveRun::cancel() {
  isCancelled_ = true;
  const bool isCut = dealer_.stop();
  isCut_ = isCut_ || isCut;
}

void ActiveRun::fail(const Error& error) {
  record(StageFailed{std::nullopt, error});
  dealer_.stop();
}

void ActiveRun::tellOfLong(Clock::time_point now) {
  for (std::size_t station = 0; station < desks_.size(); ++station) {
    Desk& desk = desks_[station];
    if (!dealer_.isAtWork(station) || now < desk.clock.nextTelling()) continue;
    desk.clock.told(now);
    const AtWork& atWork = dealer_.at(station);
    std::optional<SideStarted> at = caseUnderWay(report_, atWork);
    if (!at) continue;
    at->seconds = desk.clock.seconds(now);
    record(*at);
    if (at->first && at->seconds >= worthLogging && !std::exchange(toldFirstCall_, true))
      say(fmt::format(
          "{}: the first call takes long, since the kernel compiles or tunes itself; it may take {}.",
          activity(queued_.job, atWork), formatSeconds(patience(queued_.job, report_, atWork))));
  }
}

ActiveRun::Clock::time_point ActiveRun::nextTelling() const {
  auto next = Clock::time_point::max();
  for (std::size_t station = 0; station < desks_.size(); ++station)
    if (dealer_.isAtWork(station)) next = std::min(next, desks_[station].clock.nextTelling());
  return next;
}

void ActiveRun::forgive(Clock::duration gap) {
  stoodStill_ += gap;
  for (Desk& desk : desks_) desk.clock.forgive(gap);
  ahead_.forgive(gap);
}

void ActiveRun::forgive(std::size_t station, Clock::duration gap) {
  desks_[station].notHeard += gap;
  desks_[station].clock.forgive(gap);
  ahead_.forgive(station, gap);
}

std::string ActiveRun::overdue(std::size_t station) const {
  if (isAhead(station)) return ahead_.overdue();
  return wb::overdue(queued_.job, report_, dealer_.at(station));
}

bool ActiveRun::isTiming() const {
  for (std::size_t station = 0; station < desks_.size(); ++station)
    if (dealer_.isAtWork(station) && wb::isTiming(dealer_.at(station))) return true;
  return false;
}

std::string ActiveRun::take(std::size_t station, Event event) {
  Desk& desk = desks_[station];
  desk.heard = heardEver_ = true;
  boundTexts(event);
  if (auto* line = std::get_if<Log>(&event)) {
    // Nobody's kernel waits for what is made there.
    if (seats_[station].compilesAhead && line->source == preparingSource) line->source = "compiler";
    log(std::move(*line), keptOfEvents_);
    return {};
  }
  // What it has to say of a kernel, those will say who run it.
  if (seats_[station].compilesAhead) return {};
  if (dealer_.isForOthers(station, event)) {
    if (dealer_.follow(station, event, seconds())) restartClock(station);
    return {};
  }
  Fit fits = fit(queued_.job, report_, dealer_.work(station), dealer_.at(station), event);
  if (!fits.misfit.empty()) return std::move(fits.misfit);
  if (const auto* started = std::get_if<StepStarted>(&event); started && started->stage == Stage::time)
    desk.timingBegan = Clock::now();
  if (auto* timing = resultIn<CaseTiming>(event)) {
    timing->device = desk.deviceName == report_.target.deviceName ? std::string() : desk.deviceName;
    const std::chrono::duration<double> gone = Clock::now() - desk.timingBegan + stoodStill_ + desk.notHeard;
    if (std::string why = whyNotScored(*timing, gone.count()); !why.empty())
      std::get<StepDone>(event).result = NoResult{std::move(why)};
  }
  const bool aside = std::holds_alternative<Diagnosed>(event) || resultIn<Listed>(event) ||
                     std::holds_alternative<DeviceMeasured>(event);
  if (aside && ++asides_ > mostAsides) fits.ignored = true;
  if (fits.ignored) return {};
  auto* const started = std::get_if<JobStarted>(&event);
  // The clock of the worker's machine may stand elsewhere.
  if (started != nullptr) started->startedAt = nowByIso8601();
  // When several workers begin at once, each of them says so.
  if (started == nullptr || !std::exchange(hasBegun_, true)) record(event);
  if (dealer_.follow(station, event, seconds())) restartClock(station);
  if (const std::uint32_t kernel = dealer_.at(station).kernel; kernel < queued_.job.kernels.size())
    kernel_ = kernel;
  return {};
}

void ActiveRun::endPiece(std::size_t station) {
  if (seats_[station].compilesAhead) return ahead_.end(station);
  dealer_.end(station);
}

void ActiveRun::giveBack(std::size_t station) {
  flushErrors(station);
  if (seats_[station].compilesAhead) return ahead_.giveBack(station);
  isCut_ = isCut_ || isCancelled_;
  dealer_.giveBack(station);
  if (isCancelled_) dealer_.stop();
}

void ActiveRun::lose(std::size_t station, const Loss& loss) {
  flushErrors(station);
  if (seats_[station].compilesAhead) return ahead_.lose(station, loss.reason);
  ++losses_;
  if (dealer_.isAtOthers(station)) {
    say(fmt::format("worker {} was lost at a case that another one does: {}.", station + 1, loss.reason));
    return dealer_.giveBack(station);
  }
  for (Event& event : afterLoss(queued_.job, report_, dealer_.at(station), loss, lossesToQuarantine_)) {
    if (auto* lost = std::get_if<WorkerLost>(&event)) {
      lost->seconds = seconds();
      say(describe(*lost) + ".");
      if (lost->blame == Blame::warpbench) dealer_.faults().note(station, lost->kernel);
    }
    record(event);
  }
  dealer_.leaveKernel(station, false);
  sayWhoIsOut();
}

void ActiveRun::leaveKernel(std::size_t station) {
  flushErrors(station);
  if (seats_[station].compilesAhead) return ahead_.end(station);
  // A worker that has said nothing yet about the job it got is done with none of its kernels.
  dealer_.leaveKernel(station, !dealer_.at(station).isPreparing);
}

void ActiveRun::loseIdle(std::size_t station, const Loss& loss) {
  if (seats_[station].compilesAhead) return ahead_.lose(station, loss.reason);
  const WorkerLost lost{Blame::warpbench, std::nullopt,   "waiting for a job",
                        loss.reason,      loss.lastWords, seconds()};
  say(describe(lost) + ".");
  record(lost);
  dealer_.faults().note(station, std::nullopt);
  sayWhoIsOut();
}

void ActiveRun::losePlace(std::size_t station, const std::string& reason) {
  if (seats_[station].compilesAhead) return ahead_.lose(station, reason);
  sayOfPlace(fmt::format("worker {} is gone: {}. What it has left goes on in another.", station + 1, reason));
  dealer_.faults().note(station, std::nullopt);
  sayWhoIsOut();
}

bool ActiveRun::isFirstSilence(std::size_t station) {
  const AtWork& at = dealer_.at(station);
  const Step step = at.step.value_or(Step{at.kernel, Stage::compile, 0});
  return silentAt_.emplace(step.kernel, step.stage, step.index).second;
}

void ActiveRun::noteFailure(std::size_t station, const std::string& why) {
  dealer_.faults().noteFailure(station);
  if (seats_[station].compilesAhead) ahead_.leave(station);
  sayOfPlace(fmt::format("worker {} on {} is out, the others go on: {}", station + 1,
                         describe(seats_[station]), why));
}

void ActiveRun::sayWhoIsOut() {
  for (std::size_t station = 0; station < desks_.size(); ++station)
    if (!desks_[station].toldOut && dealer_.isOut(station)) {
      desks_[station].toldOut = true;
      sayOfPlace(fmt::format(
          "worker {} on {} is out, the others go on: it was lost twice, and no kernel was running.",
          station + 1, describe(seats_[station])));
    }
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
