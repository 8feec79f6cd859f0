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
#include "core/model/ran.h"
#include "core/model/shared_sequence.h"
#include "core/model/verdict.h"
#include "core/model/wrong_elements.h"

namespace wb {

/// Two samples of each side, taken in the order reference, candidate, candidate, reference (ABBA), or its
/// mirror, in seconds per call.
struct Block {
  std::array<double, 2> reference{};
  std::array<double, 2> candidate{};
  /// The candidate was first.
  bool mirrored = false;
  bool operator==(const Block&) const = default;
};

/// A robust comparison of two kernels from interleaved blocks; resources/help/measuring.md explains it.
struct Speedup {
  /// The reference's time divided by the candidate's: the median of the blocks' ratios.
  double ratio = 0;
  /// The 95 % interval of `ratio`.
  double low = 0, high = 0;
  Pace pace = Pace::undecided;
  bool operator==(const Speedup&) const = default;
};

/// The median of the blocks' log ratios with a 95 % interval; blocks are the sample size. A block's ratio is
/// the mean of its two reference times divided by the mean of its two candidate times.
///
/// The interval is the sign test's: two order statistics of the blocks' ratios, exact for any distribution
/// and cheap enough to compute after every block (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2:
/// at least 95 %, never less; a bootstrap is too narrow for few blocks). Below 6 blocks, where no two order
/// statistics reach 95 %, it is Student's interval on the log ratios, at least as wide as the blocks' range
/// and as the spread of the samples within the blocks gives. One block alone is always undecided.
///
/// Where the interval would say nothing, there is none; but where the reference's times agree within a factor
/// of two, the ratio is that of both sides' whole times, and its interval is cut to a factor of 1000.
///
/// Error without blocks or with times that are not positive and finite.
Result<Speedup> compare(std::span<const Block> blocks, std::span<const std::size_t> draws = {},
                        double tolerance = 0.01);

/// The value in the middle; of an even number, the mean of the two in the middle; 0 when there are none.
[[nodiscard]] double median(std::vector<double> values);

/// One number of each side; 0 where it is not known.
struct BothSides {
  double reference = 0, candidate = 0;
  bool operator==(const BothSides&) const = default;
};

/// The device while a block was taken, as NVML tells; 0 where it does not tell.
struct Conditions {
  double smHertz = 0, memoryHertz = 0;
  double watts = 0, celsius = 0;
  /// The reasons for lowered clocks, "power cap, thermal"; "" for none.
  std::string throttle;
  bool operator==(const Conditions&) const = default;
};

/// The result of timing one case. All samples are kept. There are three times, with the same names
/// everywhere: *kernel* is from the start of a call's first kernel to the end of its last, by the device's
/// own records; *step* is what one more call costs in a busy stream; *call* is from the host's call to its
/// result.
struct CaseTiming {
  /// The median seconds per call of the headline's time.
  double reference = 0, candidate = 0;
  Speedup speedup;
  /// Which time the headline is: "kernel", "step" or "call".
  std::string time;
  /// The state of the caches for `reference` and `candidate`.
  CacheState caches = CacheState::unknown;
  /// How it was measured: "wall clock", "CUPTI's records", …
  std::string clock;
  /// A note beside the number: the limit was reached, the GPU throttled, …; may be empty.
  std::string note;
  /// How many blocks were thrown away before.
  int warmups = 0;
  int callsPerSample = 1;
  std::vector<Block> blocks;
  /// The cold kernel time in seconds, by CUPTI's activity records.
  BothSides kernel;
  /// The hot kernel time: what the call reads is in the cache.
  BothSides kernelHot;
  /// The step in seconds: the slope between graphs of N and of 2 N calls.
  BothSides step;
  /// The caches for `step`: cold when its calls use more memory than the cache holds.
  CacheState stepCaches = CacheState::unknown;
  /// The call in seconds, on a device at rest.
  BothSides call;
  /// The seconds that the host takes to enqueue one call.
  BothSides host;
  /// The cold kernel time by a clock that does not depend on that of `kernel`: device events.
  BothSides events;
  /// Why `events` and `kernel` differ by more than a tick and 2 %; "" where they agree.
  std::string disagree;
  /// The tick of the headline's clock in seconds.
  double tick = 0;
  /// The seconds of an empty kernel by the headline's clock; never subtracted.
  double empty = 0;
  /// The energy per call.
  BothSides joules;
  /// The seconds that no kernel can beat on this device.
  double floor = 0;
  /// What the floor comes from: "12.6 MB over 3.1 TB/s".
  std::string floorBy;
  /// The math modes of both sides: "TF32 off, reduced-precision sums on".
  std::string math;
  /// What one call of the candidate launched on the device, by CUPTI's records.
  std::vector<RanPart> launched;
  /// One per block, or none.
  std::vector<Conditions> conditions;
  /// How many blocks were left out because the clock changed within them.
  int dropped = 0;
  /// The name of the device that it was measured on, where workers had several and it was not the report's.
  std::string device;
  bool operator==(const CaseTiming&) const = default;
};

/// The geometric mean over cases, for headlines.
struct SpeedupSummary {
  int cases = 0;
  double geomean = 0, minimum = 0, maximum = 0;
  /// The geometric means of the intervals' ends. They are bounds, and not an interval of their own.
  double low = 0, high = 0;
  int faster = 0, slower = 0, same = 0, undecided = 0;
  bool operator==(const SpeedupSummary&) const = default;
};
[[nodiscard]] SpeedupSummary summarize(std::span<const Speedup> speedups);

/// The largest errors of the candidate against the reference, over all elements of all outputs of a case.
struct ErrorFigures {
  /// The largest |c − e|.
  double maxAbs = 0;
  /// The largest |c − e| / |e| where e ≠ 0.
  double maxRel = 0;
  /// The largest distance in units in the last place of the output's dtype; 0 for integers.
  double maxUlp = 0;
  /// How many elements are over the tolerance.
  std::int64_t mismatches = 0;
  std::int64_t elements = 0;
  /// The place of the first, "[3, 17]" (with "out1" before it for a further output); empty without a
  /// mismatch.
  std::string firstBadIndex;
  /// The values there, in full precision.
  std::string expected, actual;
  /// The percentiles of |c − e| over finite elements.
  double p50Abs = 0, p99Abs = 0;
  /// The worst error against the float64 oracle, of the candidate and of the reference; absent where it was
  /// not computed.
  std::optional<double> oracleAbs, oracleReferenceAbs;
  /// Where mismatches lie, if they form a pattern: "all in rows 96…127 of dimension 0".
  std::string cluster;
  /// How many elements are over the tolerance and right all the same, since rounding explains them.
  std::int64_t forgiven = 0;
  bool operator==(const ErrorFigures&) const = default;
};

/// The errors as BackendBench computes them; null where it cannot.
struct PeerErrors {
  std::optional<double> maxAbs, maxRel;
  bool operator==(const PeerErrors&) const = default;
};

/// The result of checking one case.
struct CaseCheck {
  Verdict verdict = Verdict::notRun;
  /// The reason, for people; empty for a plain pass.
  std::string message;
  /// The errors; absent when nothing could be compared.
  std::optional<ErrorFigures> errors;
  /// The tolerance that was used.
  double rtol = 0, atol = 0;
  /// The wall time that the check took.
  double seconds = 0;
  /// The type and traceback of the exception behind `threw`, where the language has them.
  std::string errorType, trace;
  /// A trivial answer that would pass too: "zeros", "a copy of 'self'".
  std::string trivial;
  /// The same input gave other bits the second time.
  bool varies = false;
  /// A lower type, "TF32", whose result would pass too and cannot be told from this one; else "".
  std::string lower;
  /// What the kernel does wrong beside this case, which is no part of the verdict: "wrong at other shapes:
  /// 65×1021", "wrong with other values: up to 4000 times as large". "" where nothing was found.
  std::string elsewhere;
  /// What the candidate ran on the host: the operators of ATen's that it called, and its own code.
  std::vector<RanPart> ran;
  /// BackendBench's errors, with tolerance preset "backendbench".
  std::optional<PeerErrors> peer;
  /// Where the answer is wrong, of the first failing cases of a kernel.
  std::optional<Shared<WrongElements>> wrong;
  bool operator==(const CaseCheck&) const = default;
};

}  // namespace wb
