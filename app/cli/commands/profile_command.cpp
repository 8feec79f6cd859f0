// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/commands/run_command.h"
#include "app/cli/commands/verb.h"

namespace wb {

Verb profileVerb() {
  auto options = std::make_shared<JobOptions>();
  const auto declare = [options](CLI::App& app) {
    addJobOptions(app, *options);
    addProfileOptions(app, options->profile);
  };
  const auto run = [options](const std::string&) {
    options->profile.asked = true;
    options->effort.quick = !options->effort.thorough;
    return runJobOptions(*options);
  };
  return {"profile",
          "Compile, check, time and profile kernels: device counters beside the reference's, hot lines, "
          "timeline, roofline, advice",
          declare, run};
}

}  // namespace wb
