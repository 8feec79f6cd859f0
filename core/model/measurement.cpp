// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement.h"

#include "core/model/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace wb {
namespace {

/// The two-sided 95 % quantiles of Student's t for 1 to 10 degrees of freedom.
constexpr std::array student{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};

/// From this many blocks on, their order statistics alone reach 95 %: 1 − 2·½⁶ = 96.9 %.
constexpr std::size_t enoughBlocks = 6;

/// An interval of fewer blocks whose ends differ by more than this factor says that they are too few, and not
/// how fast the kernel is.
constexpr double widestOfFew = 10;

/// An interval whose ends differ by more than this factor says nothing, of however many blocks it is.
constexpr double widest = 1000;

/// The logarithm of a block's ratio. Halving first keeps sums of huge values finite.
double logRatio(const Block& block) {
  return std::log(block.reference[0] / 2 + block.reference[1] / 2) -
         std::log(block.candidate[0] / 2 + block.candidate[1] / 2);
}

/// The rank k, counted from 1, of the order statistics x(k) and x(n−k+1) that enclose the median with at
/// least 95 %: the largest k with P(Binomial(n, ½) < k) ≤ 2.5 %. It is exact up to 1000 blocks; above, the
/// normal approximation is used.
std::size_t signRank(std::size_t n) {
  const auto blocks = static_cast<double>(n);
  if (n > 1000) return static_cast<std::size_t>(std::floor(blocks / 2 - 0.98 * std::sqrt(blocks)));
  double term = std::pow(0.5, blocks);
  double below = 0;
  std::size_t k = 0;
  while (below + term <= 0.025) {
    below += term;
    term *= (blocks - static_cast<double>(k)) / static_cast<double>(k + 1);
    ++k;
  }
  return std::max<std::size_t>(k, 1);
}

/// Adds the signs of the blocks up for each draw, and divides the sum of these sums' squares by what it is on
/// average where the signs fall on the blocks in any order. It is at least 1.
double designEffect(const std::vector<double>& logs, std::span<const std::size_t> draws, double middle) {
  struct Draw {
    double sum = 0, blocks = 0;
  };
  std::map<std::size_t, Draw> seen;
  for (std::size_t i = 0; i < std::min(logs.size(), draws.size()); ++i) {
    Draw& draw = seen[draws[i]];
    draw.sum += logs[i] > middle ? 1 : logs[i] < middle ? -1 : 0;
    ++draw.blocks;
  }
  if (seen.size() < 2) return 1;  // one draw tells nothing about others
  const auto blocks = static_cast<double>(logs.size());
  double squares = 0, expected = blocks;
  for (const auto& [number, draw] : seen) {
    squares += draw.sum * draw.sum;
    expected -= draw.blocks * (draw.blocks - 1) / (blocks - 1);
  }
  return std::max(1.0, squares / expected);
}

/// The rank is farther from the middle than signRank() by the root of the design effect.
std::size_t rankOf(std::size_t blocks, double effect) {
  const double half = static_cast<double>(blocks) / 2;
  const double rank = half - (half - static_cast<double>(signRank(blocks))) * std::sqrt(effect);
  return rank < 1 ? 1 : static_cast<std::size_t>(rank);
}

/// The half-width of Student's interval around few blocks' log ratios: by the spread between blocks, or by
/// the spread of the two samples of a side within blocks, whichever is larger. The second counts where there
/// is one block, and where a coarse clock gives several blocks the same ratio.
double halfWidthOfFew(std::span<const Block> blocks, const std::vector<double>& logs) {
  const auto n = static_cast<double>(logs.size());
  double mean = 0, between = 0, within = 0;
  for (double log : logs) mean += log / n;
  for (double log : logs) between += (log - mean) * (log - mean);
  for (const Block& block : blocks) {
    const double r = std::log(block.reference[0] / block.reference[1]);
    const double c = std::log(block.candidate[0] / block.candidate[1]);
    within += (r * r + c * c) / 4;  // the variance of a difference of two means of two
  }
  const std::size_t degrees = logs.size() - 1;
  const double byBlocks = degrees == 0 ? 0 : student[degrees - 1] * std::sqrt(between / (n - 1) / n);
  const double bySamples = student[2 * logs.size() - 1] * std::sqrt(within / n / n);
  return std::max(byBlocks, bySamples);
}

/// Whether the machine was quiet: the reference took the same time, within a factor of two, in all samples.
/// What the candidate's times differ by is its own then.
bool isReferenceSteady(std::span<const Block> blocks) {
  constexpr double steady = 2;
  double least = blocks[0].reference[0], most = least;
  for (const Block& block : blocks)
    for (double seconds : block.reference) {
      least = std::min(least, seconds);
      most = std::max(most, seconds);
    }
  return most <= steady * least;
}

/// What is said of a candidate that is uneven although the machine is quiet: the ratio of both sides' whole
/// times. A kernel that was left out for being uneven would choose so where it is slow.
Speedup ofUneven(std::span<const Block> blocks, const Speedup& byBlocks) {
  double reference = 0, candidate = 0;
  for (const Block& block : blocks) {
    reference += block.reference[0] / 2 + block.reference[1] / 2;
    candidate += block.candidate[0] / 2 + block.candidate[1] / 2;
  }
  const double ratio = reference / candidate, most = std::sqrt(widest) * (1 - 1e-9);
  return {ratio, std::max(std::min(byBlocks.low, ratio), ratio / most),
          std::min(std::max(byBlocks.high, ratio), ratio * most), Pace::undecided};
}

bool usable(const Block& block) {
  const auto positive = [](double t) { return std::isfinite(t) && t > 0; };
  return std::all_of(block.reference.begin(), block.reference.end(), positive) &&
         std::all_of(block.candidate.begin(), block.candidate.end(), positive);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Pace judge(double low, double high, double tolerance) {
  if (low > 1 + tolerance) return Pace::faster;
  if (high < 1 - tolerance) return Pace::slower;
  if (low >= 1 - tolerance && high <= 1 + tolerance) return Pace::same;
  return Pace::undecided;
}

Result<Speedup> compare(std::span<const Block> blocks, std::span<const std::size_t> draws, double tolerance) {
  if (blocks.empty()) return Error{Stage::time, "Nothing was timed: there are no samples"};
  std::vector<double> logs;
  logs.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!usable(blocks[i]))
      return Error{Stage::time, fmt::format("Block {} of the samples has a time that is not positive", i)};
    logs.push_back(logRatio(blocks[i]));
  }
  const std::vector<double> inOrder = logs;
  std::sort(logs.begin(), logs.end());
  const double middle = median(logs);
  double low = 0, high = 0;
  if (logs.size() < enoughBlocks) {
    const double half = halfWidthOfFew(blocks, inOrder);
    low = std::min(logs.front(), middle - half);
    high = std::max(logs.back(), middle + half);
  } else {
    const std::size_t k = rankOf(logs.size(), designEffect(inOrder, draws, middle));
    low = logs[k - 1];
    high = logs[logs.size() - k];
  }
  Speedup speedup{std::exp(middle), std::exp(low), std::exp(high), Pace::undecided};
  const bool isWide = logs.size() < enoughBlocks && high - low > std::log(widestOfFew);
  if (!hasInterval(speedup) || isWide) {
    if (!isReferenceSteady(blocks)) return withoutInterval(speedup);
    return ofUneven(blocks, speedup);
  }
  if (blocks.size() > 1)
    speedup.pace = judge(speedup.low, speedup.high, tolerance);  // one block decides nothing
  return speedup;
}

bool hasInterval(const Speedup& speedup) {
  return speedup.low > 0 && speedup.low <= speedup.high && speedup.high <= speedup.low * widest;
}

Speedup withoutInterval(const Speedup& speedup) {
  return {speedup.ratio, 0, 0, Pace::undecided};
}

Speedup noNarrower(const Speedup& speedup, double share, double tolerance) {
  if (!hasInterval(speedup)) return speedup;
  Speedup wider = speedup;
  wider.low = std::min(speedup.low, speedup.ratio / (1 + share));
  wider.high = std::max(speedup.high, speedup.ratio * (1 + share));
  if (speedup.pace != Pace::undecided) wider.pace = judge(wider.low, wider.high, tolerance);
  return wider;
}

SpeedupSummary summarize(std::span<const Speedup> speedups) {
  SpeedupSummary summary;
  double logs = 0, lows = 0, highs = 0;
  for (const Speedup& speedup : speedups) {
    const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
    if (!positive(speedup.ratio) || !positive(speedup.low) || !positive(speedup.high)) continue;
    summary.minimum = summary.cases == 0 ? speedup.ratio : std::min(summary.minimum, speedup.ratio);
    summary.maximum = summary.cases == 0 ? speedup.ratio : std::max(summary.maximum, speedup.ratio);
    ++summary.cases;
    logs += std::log(speedup.ratio);
    lows += std::log(speedup.low);
    highs += std::log(speedup.high);
    summary.faster += speedup.pace == Pace::faster;
    summary.slower += speedup.pace == Pace::slower;
    summary.same += speedup.pace == Pace::same;
    summary.undecided += speedup.pace == Pace::undecided;
  }
  if (summary.cases == 0) return summary;
  summary.geomean = std::exp(logs / summary.cases);
  summary.low = std::exp(lows / summary.cases);
  summary.high = std::exp(highs / summary.cases);
  return summary;
}

}  // namespace wb
