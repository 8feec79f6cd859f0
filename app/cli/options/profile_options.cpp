// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/profile_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/options/option_errors.h"
#include "app/cli/options/whole_number.h"
#include "app/cli/options/words.h"
#include "core/jobs/request_words.h"

namespace wb {

void addProfileOptions(CLI::App& command, ProfileOptions& options) {
  const std::string group = "Profiling";
  command
      .add_option("--sections", options.sections,
                  "Metrics to count: quick, all, none, or sections (see: warpbench list sections)")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--case", options.cases,
                  "Profile this case of each kernel, counted from 0 (may be repeated)")
      ->group(group);
  command.add_option("--cases", options.count, "Profile so many: those the reference takes longest for")
      ->check(count(1))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--caches", options.caches,
                  "Count with cold or hot caches; auto: as the headline time was taken, cold without one")
      ->check(CLI::IsMember({"auto", "cold", "hot"}))
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--architecture", options.architecture,
          "Compile for this GPU architecture, sm_100, and list its code; one that is not the device's "
          "is not run")
      ->check(CLI::Validator(
          [](const std::string& word) {
            const bool good = word.size() > 3 && word.starts_with("sm_") && word[3] >= '1' && word[3] <= '9';
            return good ? std::string() : word + " is no architecture: sm_80, sm_90 and sm_100 are";
          },
          "sm_NN"))
      ->group(group);
  command.add_flag("--no-lines", options.noLines, "No samples of the program counter")->group(group);
  command.add_flag("--no-timeline", options.noTimeline, "No activity records")->group(group);
  command.add_option("--trace", options.trace, "Write the timeline in Chrome's trace format, for Perfetto")
      ->group(group);
}

Result<ProfilePlan> profilePlan(const ProfileOptions& options) {
  ProfilePlan plan;
  auto sections = sectionsOf(words(options.sections, ','));
  if (!sections) return of("--sections", std::move(sections).error());
  plan.sections = *std::move(sections);
  plan.lines = !options.noLines;
  plan.timeline = !options.noTimeline;
  plan.cases = std::max(options.count, 1);
  plan.indices = options.cases;
  plan.architecture = options.architecture;
  for (const CacheState state : {CacheState::cold, CacheState::hot})
    if (options.caches == name(state)) plan.caches = state;
  return plan;
}

}  // namespace wb
