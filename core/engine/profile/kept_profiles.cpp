// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/kept_profiles.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.h"

namespace wb {

const std::vector<SideProfile>* KeptProfiles::find(const std::string& what) const {
  const auto found = all_.find(what);
  return found == all_.end() ? nullptr : &found->second;
}

void KeptProfiles::keep(const std::string& what, std::vector<SideProfile> parts) {
  // Those that were kept may never be asked for again, and nothing is lost but time where they are.
  if (all_.size() >= most) all_.clear();
  all_.insert_or_assign(what, std::move(parts));
}

std::string profiledReference(const Job& job, const KernelSource& kernel, const Case& definition,
                              CacheState caches) {
  // A problem's model stands in a file of its own, or in the kernel's.
  const bool isOwn = definition.values == "own";
  const std::string& text = kernel.referenceText.empty() ? kernel.text : kernel.referenceText;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", definition.op, definition.args, definition.values,
                     definition.seed, job.seed, joined(job.profile.sections, ","), job.profile.timeline,
                     name(caches), isOwn ? text : std::string());
}

}  // namespace wb
