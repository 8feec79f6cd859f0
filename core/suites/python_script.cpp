// SPDX-License-Identifier: Apache-2.0
#include "core/suites/python_script.h"

#include <fmt/format.h>

#include <chrono>

#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/base/text.h"

namespace wb {
namespace {

/// A script ends when it is done or stopped; a suite may take long to make.
constexpr std::chrono::hours longest{24};
constexpr std::size_t outputKept = std::size_t{64} << 20;

std::string_view lastLine(std::string_view text) {
  text = trimmed(text);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Result<std::filesystem::path> pythonFor(const std::string& given) {
  return given.empty() ? findPython() : Result<std::filesystem::path>(given);
}

Result<void> runScript(const HelperScript& script, const std::function<void(std::string_view)>& onLine,
                       const std::stop_token& stop) {
  WB_TRY(const auto python, pythonFor(script.python));
  Command command;
  command.argv = {python.string(), (resourceFolder() / "python" / script.name).string()};
  command.argv.insert(command.argv.end(), script.arguments.begin(), script.arguments.end());
  command.environment = {
      {"PYTHONDONTWRITEBYTECODE", "1"}};  // an installed resource folder may not be ours to write
  WB_TRY(const Captured ran, runToEnd(command, longest, stop, outputKept, onLine));
  if (ran.stopped) return Error{Stage::job, script.purpose + " was stopped"};
  if (ran.ok()) return {};
  const std::string_view said = lastLine(ran.err);
  return Error{Stage::job,
               fmt::format("{} failed: {}", script.purpose, said.empty() ? describe(ran.ending) : said),
               fmt::format("this is what {} says; WARPBENCH_PYTHON names another one", python.string())};
}

std::string unescapeField(std::string_view field) {
  std::string text;
  text.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      text += field[i];
      continue;
    }
    const char next = field[++i];
    text += next == 'n' ? '\n' : next == 'r' ? '\r' : next == 't' ? '\t' : next;
  }
  return text;
}

}  // namespace wb
