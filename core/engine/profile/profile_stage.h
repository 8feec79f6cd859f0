// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/cupti/modules.h"
#include "core/model/cache_state.h"
#include "core/model/case.h"
#include "core/model/profile.h"

namespace wb {

/// What profiling needs beyond the kernel. It works on a GPU only.
struct ProfileRequest {
  const ProfilePlan& plan;
  /// The index of the GPU.
  int device = 0;
  /// The size of its L2 cache.
  std::int64_t cacheBytes = 0;
  /// The state of the caches when counters are read.
  CacheState caches = CacheState::cold;
  /// The kernel's file as the job names it, for places in it.
  std::string ownFile;
  /// Gives the binaries that are loaded by now, which may hold line information.
  std::function<std::vector<std::shared_ptr<const LoadedModule>>()> modules;
  /// The reference's profile where it is known from an earlier run of the same case in a process of its own;
  /// null where it is not. A new one is given to `keepReference`.
  const std::vector<SideProfile>* knownReference = nullptr;
  std::function<void(std::vector<SideProfile>)> keepReference{};
  /// Ends the ModuleWatch, since none may be alive when makeCuptiForget() is called.
  std::function<void()> endWatch;
};

/// Takes a part of a profile as soon as it is known. The last part of the reference is the last of all.
using OnPart = std::function<void(Side, SideProfile)>;

/// Profiles one case on inputs of the case's own seed: the activity of one call of each side, counters of
/// both, PC samples of the candidate. Counters are read with the caches in the state that `request.caches`
/// says, everything else with what the same call left in them. What is refused becomes a note of its part.
/// Returns the candidate's functions that ran. Errors: the call itself fails, or its inputs cannot be made.
/// Throws what torch throws.
Result<std::vector<std::string>> profileCase(const KernelContext& kernel, const Case& definition,
                                             const ProfileRequest& request, const OnPart& onPart);

}  // namespace wb
