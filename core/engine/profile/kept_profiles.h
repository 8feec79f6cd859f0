// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/job.h"
#include "core/model/profile.h"

namespace wb {

/// Profiles of references, each in parts, by all that they depend on. They hold some kilobytes each, so that
/// only so many are kept.
class KeptProfiles {
 public:
  static constexpr std::size_t most = 64;

  /// Null where there is none.
  [[nodiscard]] const std::vector<SideProfile>* find(const std::string& what) const;
  void keep(const std::string& what, std::vector<SideProfile> parts);

 private:
  std::map<std::string, std::vector<SideProfile>, std::less<>> all_;
};

/// All that the profile of a kernel's reference depends on: what it is, what it is given, and what is asked.
[[nodiscard]] std::string profiledReference(const Job& job, const KernelSource& kernel,
                                            const Case& definition, CacheState caches);

}  // namespace wb
