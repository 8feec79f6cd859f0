// SPDX-License-Identifier: Apache-2.0
#include "core/run/dealer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/run/remaining.h"

namespace wb {

namespace {

constexpr std::size_t fewestCases = 4;  // in a piece, while there are enough, since a worker loads the kernel
constexpr double shares = 1.5;          // so many pieces for each place of what is left
constexpr double loadsInPiece = 8;      // a piece takes at least as long as loading its kernel so many times
constexpr double slow = 0.5, verySlow = 1.0 / 3;  // times as fast as the mean, or as another place
constexpr double worthRecalling = 1;              // seconds of work that a place must have left
constexpr double betweenLooks = 0.05;             // seconds
constexpr double timesLonger = 2;                 // than another place would take for the same case
// The same for a place that has done nothing yet, whose first case comes with all that has to be loaded.
constexpr double timesLongerAtFirst = 10;

Crowd crowdOf(std::vector<std::size_t> devices) {
  std::erase(devices, Dealer::noDevice);
  return {devices.size(), std::set<std::size_t>(devices.begin(), devices.end()).size()};
}

const KernelWork* workOn(const JobWork& work, std::uint32_t kernel) {
  const auto found = std::find_if(work.kernels.begin(), work.kernels.end(),
                                  [&](const KernelWork& each) { return each.kernel == kernel; });
  return found == work.kernels.end() ? nullptr : &*found;
}

bool hasCase(const JobWork& work, std::uint32_t kernel, std::optional<std::uint32_t> index) {
  const KernelWork* own = workOn(work, kernel);
  if (own == nullptr || !index) return own != nullptr;
  return std::any_of(own->stages.begin(), own->stages.end(), [&](const StageWork& stage) {
    return !stage.cases || std::binary_search(stage.cases->begin(), stage.cases->end(), *index);
  });
}

/// The step that an event is about; nothing where it is about none.
struct About {
  std::uint32_t kernel = 0;
  std::optional<std::uint32_t> index;
  std::optional<Stage> stage;
};
std::optional<About> aboutOf(const Event& event, const AtWork& at) {
  if (const auto* started = std::get_if<StepStarted>(&event))
    return About{started->kernel, started->index, started->stage};
  if (const auto* done = std::get_if<StepDone>(&event)) return About{done->kernel, done->index, done->stage};
  if (const auto* side = std::get_if<SideStarted>(&event))
    return About{side->kernel, side->index, at.step ? std::optional(at.step->stage) : std::nullopt};
  if (const auto kernel = kernelOf(event)) return About{*kernel, {}, {}};
  return std::nullopt;
}

bool isInCase(const AtWork& at) {
  return at.step && (at.step->stage == Stage::check || at.step->stage == Stage::time);
}

}  // namespace

Dealer::Dealer(const Job& job, const Report& report, const std::vector<std::size_t>& devices,
               const CompileFarm* farm)
    : job_(job),
      report_(report),
      devices_(devices),
      crowd_(crowdOf(devices)),
      farm_(farm),
      rounds_(roundsOf(job, crowd_)),
      counts_(caseCounts(job, report)),
      places_(devices.size()),
      paces_(devices.size()),
      faults_(devices.size()) {
  // Where the others fail, this one is no better for cases.
  for (std::size_t place = 0; place < devices_.size(); ++place)
    if (devices_[place] == noDevice) faults_.noteFailure(place);
  beginRound();
}

void Dealer::beginRound() {
  for (JobWork& piece : piecesOf(job_, report_, rounds_[round_], crowd_)) add(std::move(piece), false);
}

void Dealer::add(JobWork work, bool first) {
  if (work.kernels.empty()) return;
  Piece piece{casesIn(work, counts_), std::move(work)};
  waitingCases_ += piece.cases;
  waiting_.insert(first ? waiting_.begin() : waiting_.end(), std::move(piece));
}

JobWork Dealer::rest(const JobWork& work) const {
  return remaining(job_, report_, work);
}

bool Dealer::isAnyAtWork() const {
  return std::any_of(places_.begin(), places_.end(),
                     [](const Place& place) { return place.work.has_value(); });
}

/// Whether a piece may be given out: while one worker compiles a kernel, the others wait and then find it in
/// the cache.
bool Dealer::isAvailable(const JobWork& piece) const {
  return std::all_of(piece.kernels.begin(), piece.kernels.end(), [&](const KernelWork& kernel) {
    if (report_.kernels[kernel.kernel]->compiled) return true;
    return std::none_of(places_.begin(), places_.end(), [&](const Place& place) {
      return place.work && workOn(*place.work, kernel.kernel) != nullptr;
    });
  });
}

bool Dealer::mayUse(std::size_t place) const {
  if (isOut(place) || devices_[place] == noDevice) return false;
  if (!isAlone()) return true;
  for (std::size_t other = 0; other < places_.size(); ++other)
    if (other != place && devices_[other] == devices_[place] && isAtWork(other)) return false;
  return true;
}

/// A place is slow only beside one that is at work and much faster, and will take what is left.
bool Dealer::isSlow(std::size_t place) const {
  const double own = paces_.speed(place);
  for (std::size_t other = 0; other < places_.size(); ++other)
    if (other != place && isAtWork(other) && own < slow * paces_.speed(other)) return true;
  return false;
}

/// How many places work side by side.
std::size_t Dealer::sharers() const {
  return isAlone() ? crowd_.devices : crowd_.workers;
}

/// How many cases a place would do in the time in which it loads the piece's kernel; 0 where that is not
/// known.
double Dealer::casesPerLoad(std::size_t place, const JobWork& piece) const {
  const KernelWork& work = piece.kernels.front();
  double seconds = 0;
  for (const StageWork& stage : work.stages)
    seconds += paces_.expected(place, work.kernel, stage.stage).value_or(0);
  return seconds > 0 ? paces_.load(work.kernel) / seconds : 0;
}

/// How many of the cases that wait a place gets: a part of what it would do of all that is left if all ended
/// together, and no less than is worth loading the kernel for. 0: the others will have done them before it
/// has done one.
std::size_t Dealer::shareOf(std::size_t place, const JobWork& piece) const {
  if (sharers() < 2) return std::numeric_limits<std::size_t>::max();
  double all = 0;
  for (std::size_t each = 0; each < places_.size(); ++each)
    if (!faults_.hasFailed(each) && !isOut(each)) all += paces_.speed(each);
  all *= static_cast<double>(sharers()) / static_cast<double>(crowd_.workers);
  const double share = paces_.speed(place) / all;
  if (static_cast<double>(waitingCases_) * share < 1) return isSlow(place) ? 0 : 1;
  double left = static_cast<double>(waitingCases_);
  for (const Place& each : places_)
    if (each.work) left += static_cast<double>(each.stepsLeft) / static_cast<double>(each.stepsOfCase);
  const double fair = left * share;
  const double least = std::max(static_cast<double>(fewestCases), loadsInPiece * casesPerLoad(place, piece));
  return static_cast<std::size_t>(std::max(fair / shares, std::min(least, fair)));
}

/// The place has this work from now on.
void Dealer::give(Place& taker, JobWork work) const {
  taker.stepsLeft = 0;
  for (const KernelWork& kernel : work.kernels)
    for (const StageWork& stage : kernel.stages)
      if (stageRow(stage.stage).scope == Scope::perCase)
        taker.stepsLeft += stage.cases ? stage.cases->size() : counts_[kernel.kernel].value_or(1);
  taker.stepsOfCase =
      std::max<std::size_t>(1, taker.stepsLeft / std::max<std::size_t>(1, casesIn(work, counts_)));
  taker.work = std::move(work);
}

std::vector<std::uint32_t> Dealer::uncompiled() const {
  std::vector<std::uint32_t> kernels;
  std::vector<bool> isThere(report_.kernels.size());
  for (const Piece& piece : waiting_)
    for (const KernelWork& work : piece.work.kernels) {
      const KernelReport& known = *report_.kernels[work.kernel];
      if (known.compiled || known.failure || isThere[work.kernel]) continue;
      isThere[work.kernel] = true;
      kernels.push_back(work.kernel);
    }
  return kernels;
}

/// Hands out a part of a piece that waits.
std::optional<JobWork> Dealer::deal(std::size_t place, Pieces::iterator piece, Portions portions) {
  waitingCases_ -= piece->cases;
  if (portions.later.kernels.empty()) {
    waiting_.erase(piece);
  } else {
    *piece = {casesIn(portions.later, counts_), std::move(portions.later)};
    waitingCases_ += piece->cases;
  }
  Place& taker = places_[place];
  handOver(taker.at, portions.now);
  taker.isRecalled = false;
  taker.isDoubled = std::any_of(doubled_.begin(), doubled_.end(), [&](const auto& each) {
    return hasCase(portions.now, each.first, each.second);
  });
  give(taker, portions.now);
  return std::move(portions.now);
}

/// While others compile ahead, what is built or needs no compiler comes first, then what nobody is at. A
/// kernel that is compiled where it runs is handed out by itself, since the others may be built meanwhile.
std::optional<JobWork> Dealer::nextBuilt(std::size_t place) {
  const auto rankOf = [&](const KernelWork& work) {
    const auto state = farm_->state(place, work.kernel);
    return state == CompileFarm::State::open ? 1 : state == CompileFarm::State::underWay ? 2 : 0;
  };
  for (Piece& piece : waiting_) {
    if (!isAvailable(piece.work)) continue;
    waitingCases_ -= piece.cases;
    piece.work = rest(piece.work);
    piece.cases = casesIn(piece.work, counts_);
    waitingCases_ += piece.cases;
  }
  std::erase_if(waiting_, [](const Piece& piece) { return piece.work.kernels.empty(); });
  auto best = waiting_.end();
  int rank = 3;
  for (auto piece = waiting_.begin(); piece != waiting_.end(); ++piece) {
    if (!isAvailable(piece->work)) continue;
    for (const KernelWork& work : piece->work.kernels)
      if (const int its = rankOf(work); its < rank) {
        rank = its;
        best = piece;
      }
  }
  if (best == waiting_.end()) return std::nullopt;
  JobWork first{best->work.begun, {}}, later{best->work.begun, {}};
  for (const KernelWork& work : best->work.kernels) {
    const bool isTaken = rankOf(work) == rank && (rank == 0 || first.kernels.empty());
    (isTaken ? first : later).kernels.push_back(work);
  }
  const std::size_t share = shareOf(place, first);
  if (share == 0) return std::nullopt;
  Portions portions = cutOff(std::move(first), share, counts_);
  // What is left of a kernel waits until that is compiled, and nothing else has to wait with it.
  JobWork cut{later.begun, {}};
  for (KernelWork& work : portions.later.kernels)
    (workOn(portions.now, work.kernel) != nullptr ? cut : later).kernels.push_back(std::move(work));
  portions.later = std::move(later);
  auto dealt = deal(place, best, std::move(portions));
  add(std::move(cut), false);
  return dealt;
}

std::optional<JobWork> Dealer::next(std::size_t place) {
  if (waiting_.empty() || !mayUse(place)) return std::nullopt;
  if (farm_ != nullptr && farm_->hasWork()) return nextBuilt(place);
  // The long pieces come first, and a slow place gets of the short ones.
  const bool isBackwards = isSlow(place);
  for (std::size_t i = 0; i < waiting_.size();) {
    const auto piece =
        waiting_.begin() + static_cast<std::ptrdiff_t>(isBackwards ? waiting_.size() - 1 - i : i);
    if (!isAvailable(piece->work)) {
      ++i;
      continue;
    }
    JobWork left = rest(piece->work);
    const std::size_t share = left.kernels.empty() ? 1 : shareOf(place, left);
    if (share == 0) return std::nullopt;
    if (left.kernels.empty()) {
      waitingCases_ -= piece->cases;
      waiting_.erase(piece);
      continue;
    }
    return deal(place, piece, cutOff(std::move(left), share, counts_));
  }
  return std::nullopt;
}

/// How long one more step like the one under way takes a place.
double Dealer::stepSeconds(std::size_t place, double now) const {
  const Place& slowOne = places_[place];
  const Step& step = *slowOne.at.step;
  return std::max(paces_.expected(place, step.kernel, step.stage).value_or(0), now - slowOne.began);
}

/// Takes back what a place has not begun. False where nothing can be.
bool Dealer::takeBack(std::size_t place) {
  Place& owner = places_[place];
  const Step& step = *owner.at.step;
  const KernelWork* current = workOn(*owner.work, step.kernel);
  if (current == nullptr ||
      std::any_of(current->stages.begin(), current->stages.end(), [](const auto& stage) {
        return stageRow(stage.stage).scope != Scope::perCase || stage.stage == Stage::profile;
      }))
    return false;
  Portions portions = takeOut(rest(*owner.work), step.kernel, step.index);
  if (portions.later.kernels.empty() || portions.now.kernels.empty()) return false;
  give(owner, std::move(portions.now));
  owner.isRecalled = true;
  add(std::move(portions.later), false);
  return true;
}

std::optional<std::size_t> Dealer::recall(std::size_t free, double now) {
  if (!waiting_.empty() || now < nextLook_ || round_ >= rounds_.size() || !mayUse(free)) return std::nullopt;
  nextLook_ = now + betweenLooks;
  std::optional<std::size_t> last;
  double longest = worthRecalling;
  for (std::size_t place = 0; place < places_.size(); ++place) {
    const Place& other = places_[place];
    if (place == free || !other.work || other.isRecalled || !isInCase(other.at)) continue;
    const auto left = static_cast<double>(casesIn(rest(*other.work), counts_)) - 1;
    const double own = paces_.speed(place), its = paces_.speed(free);
    // What is gained must be worth that both load the kernel once more.
    if (left < 2 || left * its < own + its) continue;
    const double seconds = left * stepSeconds(place, now);
    if (seconds <= longest) continue;
    longest = seconds;
    last = place;
  }
  if (last && takeBack(*last)) return last;
  return doubled(free, now);
}

/// Whether a place has shown that it is much slower than another one that takes so many seconds for a step
/// like the one under way. Where it has done nothing yet, how long it is at that is all that it can show, and
/// others' pace is evidence enough once it is long: what is lost by a second attempt is the time of a place
/// that has nothing else to do, and else this would wait for the case's deadline, which blames the kernel.
bool Dealer::isStuck(std::size_t place, std::size_t other, double otherSeconds, double now) const {
  const double seconds = now - places_[place].began;
  if (!paces_.isKnown(place)) return seconds > std::max(timesLongerAtFirst * otherSeconds, worthRecalling);
  return seconds > timesLonger * otherSeconds && paces_.speed(place) <= verySlow * paces_.speed(other);
}

/// Gives out once more the case that a place is stuck in. It is not told: it may still be the first.
std::optional<std::size_t> Dealer::doubled(std::size_t free, double now) {
  for (std::size_t place = 0; place < places_.size(); ++place) {
    Place& other = places_[place];
    if (place == free || !other.work || other.isDoubled || !isInCase(other.at)) continue;
    const Step& step = *other.at.step;
    const auto mine = paces_.expected(free, step.kernel, step.stage);
    if (!mine || !isStuck(place, free, *mine, now)) continue;
    JobWork same = takeOut(rest(*other.work), step.kernel, step.index).now;
    if (same.kernels.empty()) continue;
    other.isDoubled = true;
    doubled_.insert({step.kernel, step.index});
    add(std::move(same), false);
    break;
  }
  return std::nullopt;
}

bool Dealer::isKnown(std::uint32_t kernel, std::uint32_t index, Stage stage) const {
  const auto& cases = report_.kernels[kernel]->cases;
  if (index >= cases.size()) return false;
  const CaseRow& row = cases[index];
  return stage == Stage::time ? !isToTime(job_.stages, row) : row.check.verdict != Verdict::notRun;
}

bool Dealer::isForOthers(std::size_t place, const Event& event) const {
  const Place& speaker = places_[place];
  if (!speaker.isRecalled && !speaker.isDoubled) return false;
  const auto about = aboutOf(event, speaker.at);
  if (!about || about->kernel >= report_.kernels.size()) return false;
  if (speaker.isRecalled && !hasCase(*speaker.work, about->kernel, about->index)) return true;
  return about->index && about->stage && doubled_.contains({about->kernel, *about->index}) &&
         isKnown(about->kernel, *about->index, *about->stage);
}

bool Dealer::isAtOthers(std::size_t place) const {
  const Place& owner = places_[place];
  if (!isInCase(owner.at)) return false;
  return isForOthers(place, StepStarted{owner.at.step->stage, owner.at.step->kernel, owner.at.step->index});
}

bool Dealer::isSuperfluous(std::size_t place) const {
  const Place& owner = places_[place];
  if (!owner.work) return false;
  if (owner.isDoubled && rest(*owner.work).kernels.empty()) return true;
  return std::all_of(owner.work->kernels.begin(), owner.work->kernels.end(), [&](const KernelWork& each) {
    return report_.kernels[each.kernel]->failure || isClosed(report_, each.kernel);
  });
}

bool Dealer::follow(std::size_t place, const Event& event, double now) {
  Place& speaker = places_[place];
  if (const auto* compiled = resultIn<Compiled>(event))
    counts_[std::get<StepDone>(event).kernel] = compiled->cases.size();
  const auto* done = std::get_if<StepDone>(&event);
  if (done != nullptr && done->index && speaker.stepsLeft > 0) --speaker.stepsLeft;
  if (done != nullptr && isInCase(speaker.at) && done->index == speaker.at.step->index &&
      done->stage == speaker.at.step->stage)
    paces_.note(place, done->kernel, done->stage, now - speaker.began);
  if (const auto* started = std::get_if<StepStarted>(&event)) {
    if (speaker.isLoading && started->index) paces_.noteLoad(started->kernel, now - speaker.began);
    speaker.isLoading = !started->index && report_.kernels[started->kernel]->compiled;
    speaker.began = now;
  }
  return wb::follow(speaker.at, event);
}

void Dealer::end(std::size_t place) {
  places_[place].work.reset();
  faults_.noteDone(place);
}

void Dealer::giveBack(std::size_t place) {
  JobWork left = rest(*places_[place].work);
  places_[place].work.reset();
  add(std::move(left), true);
}

void Dealer::leaveKernel(std::size_t place, bool isDone) {
  Place& owner = places_[place];
  std::vector<KernelWork>& kernels = owner.work->kernels;
  const auto now = std::find_if(kernels.begin(), kernels.end(),
                                [&](const KernelWork& each) { return each.kernel == owner.at.kernel; });
  if (now != kernels.end()) kernels.erase(kernels.begin(), isDone ? now + 1 : now);
  giveBack(place);
}

bool Dealer::isOver() {
  if (isAnyAtWork()) return false;
  while (true) {
    std::erase_if(waiting_, [&](const Piece& piece) { return rest(piece.work).kernels.empty(); });
    waitingCases_ = 0;
    for (const Piece& piece : waiting_) waitingCases_ += piece.cases;
    if (!waiting_.empty()) return false;
    if (round_ + 1 >= rounds_.size()) return true;
    ++round_;
    beginRound();
  }
}

bool Dealer::stop() {
  const bool isCut = !waiting_.empty() || round_ + 1 < rounds_.size();
  waiting_.clear();
  waitingCases_ = 0;
  rounds_.resize(std::min(rounds_.size(), round_ + 1));
  return isCut;
}

}  // namespace wb
