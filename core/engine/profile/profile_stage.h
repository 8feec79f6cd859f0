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

/// What profiling needs beyond the kernel. Only on a GPU.
struct ProfileRequest {
  const ProfilePlan& plan;
  int device = 0;                        ///< index of the GPU
  std::int64_t cacheBytes = 0;           ///< of its L2 cache
  CacheState caches = CacheState::cold;  ///< what counters are read with: cold or hot
  std::string ownFile;                   ///< the kernel's file: places in it are named as the job names it
  /// Where line information may be found: what is loaded by now.
  std::function<std::vector<std::shared_ptr<const LoadedModule>>()> modules;
  std::function<void()> endWatch;  ///< makeCuptiForget() does not bear a ModuleWatch
};

/// Part of a profile, as soon as it is known. The last one of the reference is the last of all.
using OnPart = std::function<void(Side, SideProfile)>;

/// Profiles one case: activity of one call of each side, counters of both, PC samples of the candidate, on
/// inputs of the case's own seed. Counters are read with the caches as `request.caches` says, everything else
/// with what the same call left in them. What is refused becomes a note of its part. Returns the candidate's
/// functions that ran. Errors: the call itself fails, or its inputs cannot be made. Throws what torch throws.
Result<std::vector<std::string>> profileCase(const KernelContext& kernel, const Case& definition,
                                             const ProfileRequest& request, const OnPart& onPart);

}  // namespace wb
