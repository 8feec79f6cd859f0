// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/cache_state.h"
#include "core/model/verdict.h"

namespace wb {

/// Two samples of each side, taken in the order reference, candidate, candidate, reference (ABBA), or its
/// mirror. Seconds per call.
struct Block {
  std::array<double, 2> reference{};
  std::array<double, 2> candidate{};
  bool mirrored = false;  ///< candidate first
  bool operator==(const Block&) const = default;
};

/// Robust comparison of two kernels from interleaved blocks. Source: measuring.md §1.
struct Speedup {
  double ratio = 0;          ///< reference / candidate, median over blocks of the blocks' ratios
  double low = 0, high = 0;  ///< 95 % interval of `ratio`
  Pace pace = Pace::undecided;
  bool operator==(const Speedup&) const = default;
};

/// Median of the blocks' log ratios with a 95 % interval; blocks are the sample size. A block's ratio is the
/// mean of its two reference times over the mean of its two candidate times.
///
/// The interval is the sign test's: two order statistics of the blocks' ratios, exact for any distribution
/// and cheap enough to ask after every block (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2: at
/// least 95 %, never less, in place of a bootstrap, which is too narrow for few blocks). Below 6 blocks,
/// where no two order statistics reach 95 %, it is Student's on the log ratios, at least as wide as the
/// blocks' range and as the spread of the samples within the blocks gives; one block alone is always
/// undecided.
///
/// `draws` has one number for each block, or is empty. Blocks with the same number had the same place in
/// memory, or the same graph, and err alike. Where they lie together on one side of the median more often
/// than by chance, they count as fewer: the order statistics are farther apart by the root of the design
/// effect of the signs (Kish, Survey Sampling, 5.4).
///
/// Error without blocks or with times that are not positive and finite.
Result<Speedup> compare(std::span<const Block> blocks, std::span<const std::size_t> draws = {},
                        double tolerance = 0.01);

/// The value in the middle, of an even number the mean of the two there; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

/// One number of each side; 0 where it is not known.
struct BothSides {
  double reference = 0, candidate = 0;
  bool operator==(const BothSides&) const = default;
};

/// The device while a block was taken, as NVML tells; 0 where it does not.
struct Conditions {
  double smHertz = 0, memoryHertz = 0;
  double watts = 0, celsius = 0;
  std::string throttle;  ///< reasons for lowered clocks: "power cap, thermal"; "" none
  bool operator==(const Conditions&) const = default;
};

/// What timing one case gave. All samples are kept. There are three times, under the same words everywhere:
/// *kernel*, from the start of a call's first kernel to the end of its last, by the device's own records;
/// *step*, what one more call costs in a busy stream; *call*, from the host's call to its result.
struct CaseTiming {
  double reference = 0, candidate = 0;  ///< median seconds per call of the headline's time
  Speedup speedup;
  std::string time;                         ///< which one the headline is: "kernel", "step" or "call"
  CacheState caches = CacheState::unknown;  ///< what `reference` and `candidate` were taken with
  std::string clock;                        ///< how: "wall clock", "CUPTI's records", …
  std::string note;  ///< said beside the number: reached cap, throttled, …; may be empty
  int warmups = 0;   ///< blocks thrown away before
  int callsPerSample = 1;
  std::vector<Block> blocks;
  BothSides kernel;                             ///< seconds, cold, by CUPTI's activity records
  BothSides kernelHot;                          ///< the same with what it reads in the cache
  BothSides step;                               ///< seconds, the slope between graphs of N and of 2 N calls
  CacheState stepCaches = CacheState::unknown;  ///< cold: those calls go round more than the cache holds
  BothSides call;                               ///< seconds, of a device at rest
  BothSides host;                               ///< seconds of the host's time to enqueue one call
  BothSides events;  ///< kernel, cold, by a clock that `kernel` does not depend on: device events
  std::string
      disagree;         ///< why `events` and `kernel` differ by more than a tick and 2 %; "" where they agree
  double tick = 0;      ///< seconds, of the headline's clock
  double empty = 0;     ///< seconds of an empty kernel by the headline's clock; never subtracted
  BothSides joules;     ///< energy per call
  double floor = 0;     ///< seconds that no kernel can beat on this device
  std::string floorBy;  ///< what it comes from: "12.6 MB over 3.1 TB/s"
  std::string math;     ///< both sides' math modes: "TF32 off, reduced-precision sums on"
  std::vector<std::string> ran;        ///< kernels of one call of the candidate, by CUPTI: "relu ×2"
  std::vector<Conditions> conditions;  ///< one a block, or none
  int dropped = 0;                     ///< blocks left out because the clock changed within them
  bool operator==(const CaseTiming&) const = default;
};

/// Geometric mean over cases, for headlines.
struct SpeedupSummary {
  int cases = 0;
  double geomean = 0, minimum = 0, maximum = 0;
  double low = 0, high = 0;  ///< geomean of the intervals' ends: bounds, not an interval of its own
  int faster = 0, slower = 0, same = 0, undecided = 0;
  bool operator==(const SpeedupSummary&) const = default;
};
[[nodiscard]] SpeedupSummary summarize(std::span<const Speedup> speedups);

/// Largest errors over all elements of all outputs of a case. Candidate against reference.
struct ErrorFigures {
  double maxAbs = 0;            ///< |c − e|
  double maxRel = 0;            ///< |c − e| / |e| where e ≠ 0
  double maxUlp = 0;            ///< distance in units in the last place of the output's dtype; 0 for integers
  std::int64_t mismatches = 0;  ///< elements over tolerance
  std::int64_t elements = 0;
  std::string
      firstBadIndex;  ///< "[3, 17]" (with "out1" before it for a further output); empty without mismatch
  std::string expected, actual;   ///< values there, printed in full precision
  double p50Abs = 0, p99Abs = 0;  ///< percentiles of |c − e| over finite elements
  /// Worst error against the float64 oracle, of the candidate and of the reference; absent where it was not
  /// computed.
  std::optional<double> oracleAbs, oracleReferenceAbs;
  std::string cluster;  ///< where mismatches lie, if they keep together: "all in rows 96…127 of dimension 0"
  std::int64_t forgiven = 0;  ///< over tolerance, and right all the same: rounding explains them
  bool operator==(const ErrorFigures&) const = default;
};

/// Errors as BackendBench computes them (contract §4.4): null where it cannot.
struct PeerErrors {
  std::optional<double> maxAbs, maxRel;
  bool operator==(const PeerErrors&) const = default;
};

/// What checking one case gave.
struct CaseCheck {
  Verdict verdict = Verdict::notRun;
  std::string message;                 ///< why, for people; empty for a plain pass
  std::optional<ErrorFigures> errors;  ///< absent when nothing could be compared
  double rtol = 0, atol = 0;           ///< the tolerance that was used
  double seconds = 0;                  ///< wall time the check took
  std::string errorType, trace;        ///< of the exception behind `threw`, where the language has them
  std::string trivial;                 ///< a trivial answer that would pass too: "zeros", "a copy of 'self'"
  bool varies = false;                 ///< the same input gave other bits the second time
  std::string lower;  ///< a lower type whose result would pass too, and from which this one cannot be told:
                      ///< "TF32"; else ""
  std::string delegates;  ///< ATen's operator of the same name that the candidate called itself: "aten::relu"
  std::optional<PeerErrors> peer;  ///< with tolerance preset "backendbench"
  bool operator==(const CaseCheck&) const = default;
};

}  // namespace wb
