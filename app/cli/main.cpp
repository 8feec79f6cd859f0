// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands/verb.h"
#include "app/cli/options/unknown_command.h"
#include "app/cli/output/output.h"
#include "core/base/text.h"
#include "core/model/exit/exit_status.h"

namespace {

/// Leaves the program with CLI11's text for --help, --version or a wrong option.
int leave(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  const int status = app.exit(error, out, err);
  wb::show(out.str());
  std::string said = err.str();
  while (said.ends_with('\n')) said.pop_back();
  if (!said.empty()) wb::say(said);
  return status == 0 ? wb::ExitStatus::good : wb::ExitStatus::usage;
}

int run(const std::vector<std::string>& typed) {
  CLI::App app{"Warpbench: see at once whether a GPU kernel compiles, is right, and is faster than ATen"};
  app.set_version_flag("--version", std::string("warpbench ") + WB_VERSION);
  app.require_subcommand(1);
  const std::vector<wb::Verb> verbs = wb::verbs();
  std::vector<std::string> names;
  int status = wb::ExitStatus::good;
  for (const wb::Verb& verb : verbs) {
    names.push_back(verb.name);
    CLI::App* command = app.add_subcommand(verb.name, verb.summary);
    verb.options(*command);
    command->callback([&] { status = verb.run(wb::joined(std::span(typed).subspan(1), " ")); });
  }
  std::vector<std::string> arguments = wb::inTodaysWords(typed);
  if (const auto unknown = wb::unknownCommand(arguments, names)) return wb::refuse(*unknown);
  try {
    std::reverse(arguments.begin(), arguments.end());  // in CLI11's order
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return leave(app, error);
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  wb::openStandardDescriptors();
  std::signal(SIGPIPE, SIG_IGN);
  int status = wb::ExitStatus::usage;
  try {
    status = run({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& error) {
    wb::complain(error.what());
  }
  return wb::settled(status);
}
