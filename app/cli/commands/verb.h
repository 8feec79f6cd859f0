// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wb {

/// A command of the program: `warpbench NAME`.
struct Verb {
  std::string name;
  /// One line for --help.
  std::string summary;
  /// Declares its options.
  std::function<void(CLI::App&)> options;
  /// Runs it with the options as they were read. `typed` has the words after the command's name as one text.
  /// Gives the exit status for the shell (ExitStatus).
  std::function<int(const std::string& typed)> run;
};

/// All commands, in the order in which --help lists them.
[[nodiscard]] std::vector<Verb> verbs();

// Each of these is in a file of its own, which has its options beside what it does.

[[nodiscard]] Verb runVerb();
[[nodiscard]] Verb profileVerb();
[[nodiscard]] Verb backendBenchVerb();
[[nodiscard]] Verb compareVerb();
[[nodiscard]] Verb selftestVerb();
[[nodiscard]] Verb newVerb();
[[nodiscard]] Verb listVerb();
[[nodiscard]] Verb doctorVerb();
[[nodiscard]] Verb serveVerb();
[[nodiscard]] Verb mcpVerb();
[[nodiscard]] Verb targetVerb();
[[nodiscard]] Verb attachVerb();
[[nodiscard]] Verb shardVerb();

}  // namespace wb
