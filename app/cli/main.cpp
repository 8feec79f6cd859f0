// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "app/cli/doctor_command.h"
#include "app/cli/list_command.h"
#include "app/cli/run_command.h"

namespace {

constexpr int usageStatus = 2;

void addRun(CLI::App& app, wb::RunOptions& options, int& status) {
  CLI::App* run = app.add_subcommand("run", "Compile, check and time kernels against ATen");
  run->add_option("KERNEL", options.kernels,
                  "Kernel files (.cpp torch C++, .cu raw CUDA); none with --op: ATen against itself");
  run->add_option("--op", options.op, "Operator that the kernels implement, e.g. relu, sum.dim_IntList");
  run->add_option("--language", options.language, "Language of the kernels (see: warpbench list languages)");
  run->add_option("--suite", options.suite, "Suite by name, or a file of cases in the operator-log format")
      ->capture_default_str();
  run->add_option("--ops", options.ops, "Only cases of these operators: names or globs, comma-separated");
  run->add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str();
  run->add_option("--stages", options.stages, "Stages to run")->capture_default_str();
  run->add_option("--tolerance", options.tolerance, "torch, backendbench, strict, or RTOL,ATOL")
      ->capture_default_str();
  run->add_option("--seed", options.seed, "Seed of the inputs")->capture_default_str();
  run->add_option("--json", options.json, "Write the report as JSON to this file, or - for standard output");
  run->add_option("--report", options.reports,
                  "Write the report: .html, .json, .csv or .md (may be repeated)");
  run->add_flag("--quick", options.quick, "Time each case for at most 0.25 s");
  run->add_flag("--thorough", options.thorough, "Time each case for up to 10 s");
  run->add_flag("-v,--verbose", options.verbose, "Show what the kernel and the worker print");
  run->footer(
      "Exit status: 0 at least one pass and nothing failed, 1 a case failed, 2 usage, or a kernel that did "
      "not compile,\n"
      "3 no worker or device, 130 cancelled.");
  run->callback([&options, &status] { status = wb::runCommand(options); });
}

void addList(CLI::App& app, std::string& what, std::string& filter, int& status) {
  CLI::App* list = app.add_subcommand("list", "List operators, suites, languages, devices or report formats");
  list->add_option("WHAT", what, "What to list")
      ->required()
      ->check(CLI::IsMember({"operators", "suites", "languages", "devices", "reports"}));
  list->add_option("FILTER", filter, "Operators: name or glob");
  list->callback([&] { status = wb::listCommand(what, filter); });
}

int run(int argc, char** argv) {
  CLI::App app{"Warpbench: see at once whether a GPU kernel compiles, is right, and is faster than ATen"};
  app.set_version_flag("--version", std::string("warpbench ") + WB_VERSION);
  app.require_subcommand(1);
  wb::RunOptions options;
  std::string what, filter;
  int status = 0;
  addRun(app, options, status);
  addList(app, what, filter, status);
  app.add_subcommand("doctor", "Say what is installed, what is missing and what to do")->callback([&] {
    status = wb::doctorCommand();
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usageStatus;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpbench: {}\n", error.what());
    return usageStatus;
  }
}
