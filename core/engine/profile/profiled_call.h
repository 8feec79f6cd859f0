// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/cupti/modules.h"
#include "core/model/cache_state.h"
#include "core/model/metrics/counted_chip.h"
#include "core/model/profile.h"

namespace wb {

/// One side's call as it is profiled in the process that makes it.
struct ProfiledCall {
  PreparedCall* call = nullptr;
  /// Puts back the arguments that the operator may change, so that every pass finds them as the first one
  /// did.
  std::function<void()> restore{};
  /// The launches of one call, with what was counted of them so far.
  std::vector<Launch> launches{};
  double deviceSeconds = 0;
};

/// Where counters are read, and with which caches.
struct CounterConditions {
  /// The GPU by its name for torch, and by its index.
  std::string device;
  int index = 0;
  /// The size of its L2 cache.
  std::int64_t cacheBytes = 0;
  CacheState caches = CacheState::cold;
  /// The GPU's chip, where another process has asked for it.
  std::optional<CountedChip> chip{};
};

/// For ProfiledCall::restore, of arguments as they are now.
[[nodiscard]] std::function<void()> restoring(const c10::FunctionSchema& schema, const Stack& arguments);

/// A part of a profile that holds nothing but why the rest is missing.
[[nodiscard]] SideProfile notedPart(const Error& error);

/// Calls it twice, since what only the first call does (loading, tuning, filling the allocator's cache) is
/// not of interest.
Result<void> warmUp(ProfiledCall& call);

/// Traces one call and keeps its launches. `modules` are binaries that tell their use of local memory.
[[nodiscard]] SideProfile traceCall(ProfiledCall& call, bool timeline,
                                    const std::vector<std::shared_ptr<const LoadedModule>>& modules);

/// Counts `sections` over the calls in one session of the profiler, since turning it on costs more than
/// counting: in each pass all find their arguments and the caches in the same state. Then the tensor cores'
/// operations, which cost a pass for each type, where any were used. Gives to `onPart` the number of a call
/// and what is new of it. Until `stopped`.
void countTogether(std::span<ProfiledCall* const> calls, const std::vector<std::string>& sections,
                   const CounterConditions& conditions, const std::function<bool()>& stopped,
                   const std::function<void(std::size_t call, SideProfile part)>& onPart);

/// Activity and counters of a single call, in parts, in a process that used CUPTI for nothing else. Errors:
/// the call itself fails. Throws what torch throws.
Result<std::vector<SideProfile>> profileCall(ProfiledCall& call, const ProfilePlan& plan,
                                             const CounterConditions& conditions);

}  // namespace wb
