// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "app/service/word.h"
#include "core/model/exit/exit_status.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Warpbench's service: runs kernels for other programs", "warpbench"};
  app.set_version_flag("--version", std::string("warpbench ") + WB_VERSION);
  app.require_subcommand(1);
  int status = wb::ExitStatus::good;
  const auto words = wb::serviceWords();
  for (const wb::ServiceWord& word : words) {
    CLI::App* command = app.add_subcommand(word.name, word.summary);
    word.options(*command);
    command->callback([&] { status = word.run(); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? wb::ExitStatus::good : wb::ExitStatus::usage;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  // Each connection has a thread; an arena for each would keep what a busy hour took for the month after it.
  ::mallopt(M_ARENA_MAX, 2);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpbench: {}\n", error.what());
    return wb::ExitStatus::usage;
  }
}
