// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/profile_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/options/words.h"
#include "core/base/nearest.h"
#include "core/model/metrics/metric_catalogue.h"

namespace wb {

Result<ProfilePlan> profilePlan(const ProfileOptions& options) {
  ProfilePlan plan;
  plan.sections = words(options.sections, ',');
  plan.lines = !options.noLines;
  plan.timeline = !options.noTimeline;
  plan.cases = std::max(options.count, 1);
  plan.indices = options.cases;
  for (const CacheState state : {CacheState::cold, CacheState::hot})
    if (options.caches == name(state)) plan.caches = state;
  std::vector<std::string> known = {"quick", "all", "none"};
  for (const MetricSection& section : metricSections()) known.push_back(section.id);
  for (const std::string& section : plan.sections)
    if (std::find(known.begin(), known.end(), section) == known.end())
      return Error{Stage::job,
                   fmt::format("--sections: there is no section '{}'", section),
                   didYouMean(section, known).empty()
                       ? "see warpbench list sections"
                       : didYouMean(section, known) + "; see warpbench list sections",
                   {}};
  if (plan.sections == std::vector<std::string>{"none"}) plan.sections.clear();
  if (std::find(plan.sections.begin(), plan.sections.end(), "none") != plan.sections.end())
    return Error{Stage::job, "--sections: none stands alone", "leave it out, or the other sections", {}};
  return plan;
}

}  // namespace wb
