// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/remark.h"
#include "core/model/cache_state.h"
#include "core/model/metrics/counted_chip.h"
#include "core/model/profile.h"
#include "core/model/ran.h"

namespace wb {

/// A function of torch's in which a side spends much of its time: a place in it that each call comes to, and
/// for how many seconds in each call.
struct HotCode {
  std::uint64_t place = 0;
  double seconds = 0;
  bool operator==(const HotCode&) const = default;
};

/// What a call wrote outside of a tensor that was made there: so many bytes in front of it or behind it.
/// `result` is the number of the result that it is, and nothing where it is none.
struct WrittenThere {
  std::size_t inFront = 0, behind = 0;
  std::optional<std::size_t> result{};
};

/// What was seen in calls like those that are timed.
struct SeenInCalls {
  /// The operator of ATen's that the candidate called: "aten::silu".
  std::string delegated{};
  /// What the candidate does past torch's dispatcher, in words; "" where nothing was seen.
  std::string hidden{};
};

/// What was found out about a kernel beside its verdict on a case. It would be found again each time that the
/// kernel comes to that case.
struct KnownOfCase {
  /// What it is wrong about when it is asked for more (check/further).
  std::optional<Remark> remark;
  std::optional<SeenInCalls> seen;
  /// So many calls made a sample when it was timed; 0 where it was not.
  int callsPerSample = 0;
};

/// What a watched call did, by the word of the process in which it ran.
struct RanThere {
  std::vector<RanPart> parts;
  std::optional<WrittenThere> beyond;
};

/// How a call is profiled in the process in which it is made.
struct AskedProfile {
  ProfilePlan plan;
  /// The index of the GPU, and the size of its L2 cache.
  int device = 0;
  std::int64_t cacheBytes = 0;
  CacheState caches = CacheState::cold;
  /// The GPU's chip, so that the other process need not ask for it.
  std::optional<CountedChip> chip{};
};

/// What is said of results that their caller cannot change, and of results whose pages are not theirs yet.
inline constexpr const char* notWritable = "the result lies in memory that cannot be written to";
inline constexpr const char* withoutPages =
    "not scored: the result has no pages of its own yet when the kernel has returned, so that whoever reads "
    "it does the work";

/// What can be asked of a call that is made in another process.
class CallElsewhere {
 public:
  virtual ~CallElsewhere() = default;
  /// The next run() is watched where it happens; in this process an OperatorWatch sees what runs.
  virtual void watchNext() = 0;
  /// What the other process says of the watched run; nothing where it does not say. It is the word of whoever
  /// runs there.
  [[nodiscard]] virtual RanThere ranThere() = 0;
  /// The next run() is one of many, in some milliseconds, and the other process keeps in mind where it spends
  /// its time.
  virtual void sampleNext() = 0;
  /// The functions of torch's, at that process's addresses, in which it did, by its own word.
  [[nodiscard]] virtual std::vector<HotCode> hotCodeThere() = 0;
  /// It is seen from outside whether the next run() comes to one of these functions.
  virtual void trapNext(std::vector<HotCode> code) = 0;
  /// The places to which the last run() came, which nobody there has a say in; nothing where that was not
  /// seen.
  [[nodiscard]] virtual std::optional<std::set<std::uint64_t>> reachedThere() const = 0;
  /// Activity and counters of this call, in parts, by the other process's own word; it runs many times.
  /// Errors: the call fails, or the process is lost.
  virtual Result<std::vector<SideProfile>> profileThere(const AskedProfile& asked) = 0;
  /// A sample has just ended in which nobody looks at the results: looks into the other process all the same,
  /// since nobody there may know the difference, and notes how long that takes.
  virtual void lookInside() = 0;
  /// Writes to the results of the last run as somebody may who got them, where they were looked at.
  virtual void writeToResults(std::uint64_t seed) = 0;
  /// Whether it is known where results of its own lie.
  [[nodiscard]] virtual bool hasOwnResults() const = 0;
  /// Whether the results of the last run lie in the memory of another call's, which are still held there.
  [[nodiscard]] virtual bool sharesResults(const PreparedCall& other) const = 0;
};

/// A call that does something beside what the call inside it does.
class WrappedCall {
 public:
  virtual ~WrappedCall() = default;
  [[nodiscard]] virtual PreparedCall& inner() = 0;
};

/// The call as one that is made elsewhere; null where it is made here.
[[nodiscard]] inline CallElsewhere* elsewhere(PreparedCall& call) {
  if (auto* const wrapped = dynamic_cast<WrappedCall*>(&call)) return elsewhere(wrapped->inner());
  return dynamic_cast<CallElsewhere*>(&call);
}

}  // namespace wb
