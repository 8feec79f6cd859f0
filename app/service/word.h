// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wb {

/// A word of the program, `warpbench-service WORD`, which the command line knows as `warpbench WORD`.
struct ServiceWord {
  std::string name;
  /// One line for --help.
  std::string summary;
  /// Declares its options.
  std::function<void(CLI::App&)> options;
  /// Does it with the options as they were read; gives the exit status (ExitStatus).
  std::function<int()> run;
};

/// All words.
[[nodiscard]] std::vector<ServiceWord> serviceWords();

// Each in a file of its own.
[[nodiscard]] ServiceWord mcpWord();
[[nodiscard]] ServiceWord serveWord();

}  // namespace wb
