// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/steadiness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/quantity.h"

namespace wb {
namespace {

// The median of so many blocks is compared with that of the blocks before.
constexpr std::ptrdiff_t windowBlocks = 4;
constexpr double steadyTimes = 0.015;   // a relative change of this size still counts as steady
constexpr std::size_t clockWindow = 5;  // over so many blocks the clock must be …
constexpr double steadyClock = 0.01;    // … within this of itself
// A block whose clock differs by this much from the one before does not count.
constexpr double changedClock = 0.02;

constexpr std::size_t enoughBlocks = 6;  // enough for an interval by order statistics alone
/// How many interruptions per second an idle machine may have; a busy one has a hundred times as many and
/// more.
constexpr double idleInterruptions = 30;
/// Others interrupt both sides. A kernel of more threads is struck more often in the same time, but not more
/// than so many times as often …
constexpr double moreOften = 16;
/// … and from so many interruptions on it is no chance that the reference had none.
constexpr long noChance = 10;
/// A candidate that takes so many times as long is that much slower with all of its blocks, and would gain by
/// leaving some out, or all. The reference has too little time then to show whether others interrupt.
constexpr double muchSlower = 3;

/// A sample that takes so many times as long as most is a long one; memory that was not there takes six times
/// as long. Fewer than this share of a side's are what happens to anybody.
constexpr double longTimes = 10, longShare = 0.06;
/// Where both sides have as many by chance, one of them has that many of all with this probability. A host of
/// virtual machines takes the processor from either, and no count of interruptions shows it.
constexpr double noLuck = 0.05;

std::ptrdiff_t countLong(const std::vector<double>& seconds) {
  const double most = longTimes * median(seconds);
  return std::count_if(seconds.begin(), seconds.end(), [=](double s) { return s > most; });
}

/// The probability that `few` or fewer of `few + many` tosses of a coin are heads.
double chanceOfFew(std::ptrdiff_t few, std::ptrdiff_t many) {
  const auto logFactorial = [](std::ptrdiff_t n) { return std::lgamma(static_cast<double>(n + 1)); };
  const std::ptrdiff_t all = few + many;
  double sum = 0;
  for (std::ptrdiff_t heads = 0; heads <= few; ++heads)
    sum += std::exp(logFactorial(all) - logFactorial(heads) - logFactorial(all - heads) -
                    static_cast<double>(all) * std::log(2.0));
  return sum;
}

bool agree(const std::vector<double>& times, std::ptrdiff_t window) {
  if (static_cast<std::ptrdiff_t>(times.size()) < 2 * window) return false;
  const double now = median({times.end() - window, times.end()});
  const double before = median({times.end() - 2 * window, times.end() - window});
  return std::abs(now - before) <= steadyTimes * before;
}

}  // namespace

void WarmUp::add(double blockSeconds, const std::optional<Conditions>& conditions) {
  times_.push_back(blockSeconds);
  if (conditions && conditions->smHertz > 0) hertz_.push_back(conditions->smHertz);
}

bool WarmUp::steady() const {
  if (!agree(times_, awake_ ? 1 : windowBlocks)) return false;
  const auto last = hertz_.end() - static_cast<std::ptrdiff_t>(std::min(hertz_.size(), clockWindow));
  if (last == hertz_.end()) return true;
  const auto [low, high] = std::minmax_element(last, hertz_.end());
  return *high - *low <= steadyClock * *high;
}

void Blocks::add(const Block& block, const std::optional<Conditions>& conditions, Interruptions interrupted,
                 double seconds, std::size_t draw) {
  Taken taken{block, false, false, conditions, draw};
  if (conditions && conditions->smHertz > 0) {
    taken.changed = lastHertz_ > 0 && std::abs(conditions->smHertz - lastHertz_) > changedClock * lastHertz_;
    lastHertz_ = conditions->smHertz;
  }
  taken.interrupted =
      static_cast<double>(interrupted.reference + interrupted.candidate) > idleInterruptions * seconds;
  sum_.reference += interrupted.reference;
  sum_.candidate += interrupted.candidate;
  reference_ += block.reference[0] + block.reference[1];
  candidate_ += block.candidate[0] + block.candidate[1];
  changed_ += taken.changed ? 1 : 0;
  interrupted_ += taken.interrupted ? 1 : 0;
  all_.push_back(std::move(taken));
}

bool Blocks::othersWork() const {
  if (interrupted_ == 0 || isMuchSlower()) return false;
  const double likely = moreOften * static_cast<double>(sum_.reference) * candidate_;
  return sum_.candidate < noChance || static_cast<double>(sum_.candidate) * reference_ <= likely;
}

bool Blocks::leavesInterruptedOut() const {
  if (!othersWork()) return false;
  const bool without = leavesOut();
  const auto left = std::count_if(all_.begin(), all_.end(), [&](const Taken& taken) {
    return !taken.interrupted && (!without || !taken.changed);
  });
  return static_cast<std::size_t>(left) >= enoughBlocks;
}

std::vector<const Blocks::Taken*> Blocks::counted() const {
  std::vector<const Taken*> counted;
  counted.reserve(all_.size());
  const bool withoutChanged = leavesOut(), withoutInterrupted = leavesInterruptedOut();
  for (const Taken& taken : all_)
    if ((!withoutChanged || !taken.changed) && (!withoutInterrupted || !taken.interrupted))
      counted.push_back(&taken);
  return counted;
}

std::vector<Block> Blocks::kept() const {
  std::vector<Block> kept;
  for (const Taken* taken : counted()) kept.push_back(taken->block);
  return kept;
}

std::vector<std::size_t> Blocks::draws() const {
  std::vector<std::size_t> draws;
  for (const Taken* taken : counted()) draws.push_back(taken->draw);
  return draws;
}

std::string Blocks::busyNote() const {
  if (interrupted_ == 0) return {};
  if (isMuchSlower())
    return fmt::format("the processors had other work meanwhile in {} of {} blocks, which all count",
                       interrupted_, all_.size());
  if (!othersWork())
    return fmt::format("its own threads took the processors from each other in {} of {} blocks", interrupted_,
                       all_.size());
  if (leavesInterruptedOut())
    return fmt::format("{} of {} blocks left out: others had the processors meanwhile", interrupted_,
                       all_.size());
  return fmt::format("too noisy: others had the processors in {} of {} blocks", interrupted_, all_.size());
}

bool Blocks::isMuchSlower() const {
  return candidate_ > muchSlower * reference_;
}

std::string Blocks::stallNote() const {
  std::vector<double> reference, candidate;
  for (const auto& [block, changed, isInterrupted, conditions, draw] : all_) {
    if (isInterrupted) continue;
    reference.insert(reference.end(), block.reference.begin(), block.reference.end());
    candidate.insert(candidate.end(), block.candidate.begin(), block.candidate.end());
  }
  if (candidate.empty()) return {};
  const std::ptrdiff_t longer = countLong(candidate);
  const double share = static_cast<double>(longer) / static_cast<double>(candidate.size());
  if (share < longShare || chanceOfFew(countLong(reference), longer) > noLuck) return {};
  return fmt::format("in {} of its samples the kernel takes over {:.0f} times as long as in most",
                     formatPercent(share), longTimes);
}

std::string Blocks::moveInto(CaseTiming& timing) {
  std::string reasons;
  timing.blocks = kept();
  timing.dropped = static_cast<int>(all_.size() - timing.blocks.size());
  std::string note = busyNote();
  bool known = true;
  for (Taken& taken : all_) {
    if (taken.conditions && reasons.empty()) reasons = taken.conditions->throttle;
    known = known && taken.conditions.has_value();
  }
  for (const Taken* taken : counted())
    if (known) timing.conditions.push_back(*taken->conditions);
  if (leavesOut()) return note;
  return fmt::format("the GPU's clock changed in {} of {} blocks{}{}{}", changed_, all_.size(),
                     reasons.empty() ? "" : ": throttled by " + reasons, note.empty() ? "" : "; ", note);
}

}  // namespace wb
