// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/unknown_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/base/nearest.h"
#include "core/jobs/job_errors.h"

namespace wb {
namespace {

bool isOption(const std::string& word) {
  return word.empty() || word.front() == '-';
}

Error writesNoKernels(const std::string& command) {
  return wrong(
      fmt::format("there is no command '{}': Warpbench writes no kernels", command),
      "run those that a language model or an agent wrote: warpbench backendbench --backend directory "
      "--ops-directory FOLDER");
}

}  // namespace

std::optional<Error> unknownCommand(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& commands) {
  if (arguments.empty() || isOption(arguments.front())) return std::nullopt;
  const std::string& word = arguments.front();
  if (word == "backendbench" && arguments.size() > 1 && !isOption(arguments[1])) {
    const std::string both = word + " " + arguments[1];
    if (arguments[1] == "generate") return writesNoKernels(both);
    return wrong(fmt::format("there is no command '{}'", both),
                 "backendbench has options only: see warpbench backendbench --help");
  }
  if (std::find(commands.begin(), commands.end(), word) != commands.end()) return std::nullopt;
  if (word == "generate") return writesNoKernels(word);
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    return wrong(fmt::format("'{}' is a file or folder, not a command", word),
                 fmt::format("say: warpbench run {}", word));
  const std::string near = didYouMean(word, commands);
  return wrong(fmt::format("there is no command '{}'", word),
               fmt::format("{}{}commands are {}", near, near.empty() ? "" : "; ", fmt::join(commands, ", ")));
}

std::vector<std::string> inTodaysWords(std::vector<std::string> arguments) {
  if (arguments.size() > 1 && arguments[0] == "backendbench" && arguments[1] == "run")
    arguments.erase(arguments.begin() + 1);
  return arguments;
}

}  // namespace wb
