// SPDX-License-Identifier: Apache-2.0
#include "core/figures/profile/call_part.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "core/base/quantity.h"
#include "core/figures/cells.h"

namespace wb {
namespace {

bool overlaps(const Activity& activity, const CallPart& part) {
  return activity.start < part.to && activity.start + activity.seconds > part.from;
}

/// Which launches of a side ran in the stretch. Launches and the activity of kernels are records of the same
/// call in the same order; without activity nothing is known of when they ran.
std::vector<std::size_t> launchesIn(const SideProfile& side, const CallPart& part) {
  std::vector<std::size_t> found;
  std::size_t launch = 0;
  for (const Activity& activity : side.activities) {
    if (activity.kind != ActivityKind::kernel) continue;
    if (launch < side.launches.size() && overlaps(activity, part)) found.push_back(launch);
    ++launch;
  }
  return found;
}

const SideProfile& sideOf(const CaseProfile& profile, Side side) {
  return side == Side::candidate ? profile.candidate : profile.reference;
}

/// The profile of a case; null where it has none.
const CaseProfile* profileOf(const Report& report, CaseKey key) {
  if (key.kernel >= report.kernels.size() || key.index >= report.kernels[key.kernel]->cases.size())
    return nullptr;
  const CaseRow& row = report.kernels[key.kernel]->cases[key.index];
  return row.profile ? &**row.profile : nullptr;
}

void keepOnly(SideProfile& side, const CallPart& part) {
  std::vector<Launch> launches;
  std::set<std::string> functions;
  for (const std::size_t i : launchesIn(side, part)) {
    functions.insert(side.launches[i].function);
    launches.push_back(std::move(side.launches[i]));
  }
  side.launches = std::move(launches);
  std::erase_if(side.activities, [&](const Activity& activity) { return !overlaps(activity, part); });
  std::erase_if(side.samples, [&](const PcSample& sample) { return !functions.contains(sample.function); });
}

}  // namespace

Report partOfCall(const Report& report, CaseKey key, const CallPart& part) {
  Report made = report;
  if (profileOf(report, key) == nullptr) return made;
  CaseProfile& profile = made.kernels[key.kernel].write().cases.write(key.index).profile->write();
  const bool ofCandidate = part.side == Side::candidate;
  SideProfile& other = ofCandidate ? profile.reference : profile.candidate;
  keepOnly(ofCandidate ? profile.candidate : profile.reference, part);
  other.launches.clear();
  other.activities.clear();
  return made;
}

std::string callPartText(const Report& report, CaseKey key, const CallPart& part) {
  const CaseProfile* profile = profileOf(report, key);
  if (profile == nullptr) return {};
  const SideProfile& side = sideOf(*profile, part.side);
  return fmt::format("{} of {} of the {}, from {} to {}",
                     formatCount(static_cast<std::int64_t>(launchesIn(side, part).size())),
                     plural(static_cast<std::int64_t>(side.launches.size()), "launch", "launches"),
                     name(part.side), formatSeconds(part.from), formatSeconds(part.to));
}

}  // namespace wb
