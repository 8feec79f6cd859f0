// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/limit_options.h"

#include <CLI/CLI.hpp>
#include <string>

namespace wb {

void addLimitOptions(CLI::App& command, Limits& limits, bool profiles) {
  constexpr double shortest = 0.1, longest = 86400;
  const auto add = [&](const std::string& name, double& seconds, const std::string& what) {
    command.add_option(name, seconds, what)
        ->check(CLI::Range(shortest, longest).description(""))
        ->capture_default_str()
        ->group("Limits, in seconds");
  };
  add("--case-seconds", limits.caseSeconds,
      "What the kernel, and what the reference, may take for one case; timing gets its own on top");
  add("--first-call-seconds", limits.firstCallSeconds,
      "What the first call of a case may take in Python and Triton, where it may compile or tune");
  add("--compile-seconds", limits.compileSeconds, "What compiling one kernel may take");
  if (profiles) add("--profile-seconds", limits.profileSeconds, "What profiling one case may take");
}

}  // namespace wb
