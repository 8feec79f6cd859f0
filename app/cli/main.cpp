// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <exception>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands/backendbench_command.h"
#include "app/cli/commands/compare_command.h"
#include "app/cli/commands/doctor_command.h"
#include "app/cli/commands/list_command.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/commands/selftest_command.h"
#include "app/cli/commands/unknown_command.h"
#include "app/cli/options/limit_options.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/output/output.h"

namespace {

constexpr int usageStatus = 2;

/// A whole number in words that a person reads, where CLI11's own checks speak of doubles.
CLI::Validator wholeNumber(std::uint64_t low, std::uint64_t high) {
  return {[low, high](std::string& text) { return wb::notWhole(text, low, high); }, "", "whole number"};
}
constexpr std::uint64_t mostCount = std::numeric_limits<int>::max();  ///< of what is kept in an int
CLI::Validator count(std::uint64_t low) {
  return wholeNumber(low, mostCount);
}

/// What `run` and `profile` have in common.
void addJobOptions(CLI::App* run, wb::RunOptions& options) {
  run->add_option(
      "KERNEL", options.kernels,
      "Kernel files or folders of them (.cpp torch C++, .cu raw CUDA or CUDA extension, .py Python "
      "or Triton); none with --op: ATen against itself");
  run->add_option("--op", options.op, "Operator that the kernels implement, e.g. relu, sum.dim_IntList");
  run->add_option("--language", options.language, "Language of the kernels (see: warpbench list languages)");
  run->add_option(
      "--problem", options.problem,
      "Python file with class Model and get_inputs (KernelBench's form) that the kernels are for, "
      "or a folder of them by file name");
  run->add_option("--suite", options.suite,
                  "Suite by name (see: warpbench list suites), or a .txt or .parquet file of cases")
      ->capture_default_str();
  run->add_option(
         "--dtype", options.dtype,
         "opinfo, shapes, layouts, values: dtype of the samples; auto: what the kernels' text is for, "
         "else bfloat16")
      ->capture_default_str();
  run->add_option("--topn", options.topn, "Only the N largest cases of each operator; 0: all")
      ->check(count(0))
      ->capture_default_str();
  run->add_option("--ops", options.ops, "Only cases of these operators: names or globs, comma-separated");
  run->add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str();
  run->add_option("--tolerance", options.tolerance, "torch, backendbench, strict, or RTOL,ATOL")
      ->capture_default_str();
  run->add_flag("--score-crashed", options.scoreCrashed,
                "Count the times of a kernel that crashed or hung in some case, too");
  run->add_flag("--oracle", options.oracle, "Compare with float64 in every case, not only where it is cheap");
  run->add_option("--workers", options.workers, "Processes that share the cases; a GPU each")
      ->check(wholeNumber(1, wb::mostWorkers))
      ->capture_default_str();
  run->add_option("--sanitize", options.sanitizer,
                  "Check under compute-sanitizer: memcheck, racecheck, initcheck or synccheck; nothing is "
                  "timed");
  run->add_option("--python", options.python, "Python whose torch and packages are used");
  run->add_option("--seed", options.seed, "Seed of the inputs")
      ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  run->add_option("--json", options.json, "Write the report as JSON to this file, or - for standard output");
  run->add_option("--report", options.reports,
                  "Write the report: .html, .json, .csv or .md (may be repeated)");
  run->add_flag("--quick", options.quick, "Time each case for at most 0.25 s");
  run->add_flag("--thorough", options.thorough, "Time each case for up to 10 s");
  run->add_flag("-v,--verbose", options.verbose, "Show what the kernel and the worker print");
  wb::addLimitOptions(*run, options.limits, true);
  run->footer(
      "Exit status: 0 at least one pass and nothing failed, 1 a case failed, 2 usage, or a kernel that did "
      "not compile,\n"
      "3 no worker or device, 4 Warpbench lost a worker of its own, 130 cancelled.");
}

void addProfileOptions(CLI::App* command, wb::ProfileOptions& options) {
  const std::string group = "Profiling";
  command
      ->add_option("--sections", options.sections,
                   "Metrics to count: quick, all, none, or sections (see: warpbench list sections)")
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--case", options.cases,
                   "Profile this case of each kernel, counted from 0 (may be repeated)")
      ->group(group);
  command->add_option("--cases", options.count, "Profile so many: those the reference takes longest for")
      ->check(count(1))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--caches", options.caches,
                   "Count with cold or hot caches; auto: as the headline time was taken, cold without one")
      ->check(CLI::IsMember({"auto", "cold", "hot"}))
      ->capture_default_str()
      ->group(group);
  command->add_flag("--no-lines", options.noLines, "No samples of the program counter")->group(group);
  command->add_flag("--no-timeline", options.noTimeline, "No activity records")->group(group);
  command->add_option("--trace", options.trace, "Write the timeline in Chrome's trace format, for Perfetto")
      ->group(group);
}

void addRun(CLI::App& app, wb::RunOptions& options, int& status) {
  CLI::App* run = app.add_subcommand("run", "Compile, check and time kernels against ATen");
  addJobOptions(run, options);
  run->add_option("--stages", options.stages, "Stages to run: compile,check,time,profile")
      ->capture_default_str();
  run->add_flag("--profile", options.profile.asked, "Profile too, as warpbench profile does");
  addProfileOptions(run, options.profile);
  run->callback([&options, &status] { status = wb::runCommand(options); });
}

void addProfile(CLI::App& app, wb::RunOptions& options, int& status) {
  CLI::App* profile = app.add_subcommand(
      "profile",
      "Compile, check, time and profile kernels: device counters beside the reference's, hot lines, "
      "timeline, roofline, advice");
  addJobOptions(profile, options);
  addProfileOptions(profile, options.profile);
  profile->callback([&options, &status] {
    options.profile.asked = true;
    options.quick = !options.thorough;
    status = wb::runCommand(options);
  });
}

/// BackendBench's options for writing kernels with a language model: taken, so that a command line of its
/// works as it is, and unused, as its other backends do not use them either.
struct UnusedOptions {
  int attempts = 5, agentWorkers = 4, agentRounds = 10;
  std::string model = "claude-sonnet-4-20250514", dsl = "triton";
  bool daemon = true;
};

void addBackendBenchUnused(CLI::App& command, UnusedOptions& unused) {
  const std::string group = "Taken and not used (Warpbench writes no kernels)";
  command.add_option("--llm-attempts", unused.attempts)->group(group);
  command.add_option("--llm-model", unused.model)->group(group);
  command.add_option("--kernel-agent-workers", unused.agentWorkers)->group(group);
  command.add_option("--kernel-agent-max-rounds", unused.agentRounds)->group(group);
  command.add_option("--dsl", unused.dsl)->group(group);
  command.add_flag("--daemon,!--no-daemon", unused.daemon)->group(group);
}

void addBackendBench(CLI::App& app, wb::BackendBenchRequest& options, UnusedOptions& unused, int& status) {
  CLI::App* command =
      app.add_subcommand("backendbench", "BackendBench's job, with its options and its files");
  command->add_option("--log-level", options.logLevel, "DEBUG, INFO, WARNING, ERROR or CRITICAL")
      ->envname("LOG_LEVEL")
      ->capture_default_str();
  command->add_option("--suite", options.suite, "smoke, opinfo or torchbench")->capture_default_str();
  command
      ->add_option("--backend", options.backend,
                   "aten, directory or flag_gems; pregenerated: directory, with its older layouts")
      ->capture_default_str();
  command->add_option("--ops", options.ops, "Only these operators: names or globs, comma-separated");
  command->add_option("--topn-inputs,--topn", options.topn, "torchbench: only the N largest inputs of each");
  command->add_option("--alternative-torchbench-data-path", options.traceFile,
                      "torchbench: this .parquet or .txt file");
  command
      ->add_option("--ops-directory,--kernels-dir", options.opsDirectory, "The directory backend's kernels")
      ->capture_default_str();
  command->add_option("--log-dir", options.logDir,
                      "Where the four files go (default: the ops directory, else backendbench_output_TIME)");
  command->add_flag("--disable-output-logs", options.disableOutputLogs, "Write no files");
  command->add_option("--num-workers", options.workers, "Worker processes that share the cases")
      ->check(wholeNumber(1, wb::mostWorkers));
  command->add_flag("--check-overhead-dominated-ops", options.overheadDominated,
                    "torchbench: only inputs whose time is mostly launching");
  command->add_option("--p", options.p, "Threshold of perf@p")->capture_default_str();
  const std::string own = "Warpbench's own";
  command->add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str()->group(own);
  command->add_option("--dtype", options.dtype, "opinfo's and smoke's (default: bfloat16, smoke float32)")
      ->group(own);
  command
      ->add_flag("--like-backendbench", options.like, "Copy BackendBench's quirks instead of correcting them")
      ->group(own);
  command
      ->add_flag("--score-crashed", options.scoreCrashed,
                 "Score a kernel that crashed or hung in some case, too (--like-backendbench does)")
      ->group(own);
  command->add_option("--python", options.python, "Python whose torch and packages are used")->group(own);
  command->add_option("--report", options.reports, "Write Warpbench's report too: .html, .json, .csv or .md")
      ->group(own);
  wb::addLimitOptions(*command, options.limits, false);
  addBackendBenchUnused(*command, unused);
  command->footer(
      "Exit status: 0 with any scores, 2 usage or nothing that --ops matches, 3 no worker or device,\n"
      "4 Warpbench lost a worker of its own, 130 cancelled.\nWhat is done otherwise than by BackendBench: "
      "resources/help/backendbench.md");
  command->callback([&options, &status] { status = wb::backendBenchCommand(options); });
}

void addCompare(CLI::App& app, wb::CompareRequest& options, int& status) {
  CLI::App* command =
      app.add_subcommand("compare", "Compare two kernels, two directories or two saved reports");
  command->add_option("A", options.a, "Kernel file, directory in BackendBench's layout, or report (.json)")
      ->required();
  command->add_option("B", options.b, "The other one")->required();
  command->add_option("--op", options.op, "Operator that the kernel files implement");
  command->add_option("--suite", options.suite, "Suite by name, or a file of cases")->capture_default_str();
  command->add_option("--ops", options.ops, "Only these operators: names or globs, comma-separated");
  command->add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str();
  command->add_option("--dtype", options.dtype, "Of suites that are made for one")->capture_default_str();
  command->add_option("--json", options.json,
                      "Write the comparison as JSON to this file, or - for standard output");
  command->add_option("--report", options.reports, "Write the comparison: .md or .json (may be repeated)");
  command->add_flag("--quick", options.quick, "Time each case for at most 0.25 s");
  command->add_flag("--thorough", options.thorough, "Time each case for up to 10 s");
  wb::addLimitOptions(*command, options.limits, false);
  command->footer(
      "Exit status: 0 compared, 2 usage or nothing to compare, 3 no worker or device, 130 cancelled.");
  command->callback([&options, &status] { status = wb::compareCommand(options); });
}

void addList(CLI::App& app, std::string& what, std::string& filter, wb::SuiteChoice& choice, int& status) {
  CLI::App* list = app.add_subcommand("list",
                                      "List operators, suites, a suite's cases, languages, devices, metrics, "
                                      "their sections or report formats");
  list->add_option("WHAT", what, "What to list")
      ->required()
      ->check(CLI::IsMember(
          {"operators", "suites", "cases", "languages", "devices", "metrics", "sections", "reports"}));
  list->add_option("FILTER", filter, "Operators and cases: name or glob; metrics: part of a name");
  list->add_option("--suite", choice.suite, "Cases: of this suite")->capture_default_str();
  list->add_option("--dtype", choice.dtype, "Cases: dtype of a made suite's samples")->capture_default_str();
  list->add_option("--device", choice.device, "Cases: device of a made suite's samples")
      ->capture_default_str();
  list->add_option("--topn", choice.topn, "Cases: only the N largest of each operator; 0: all")
      ->check(count(0))
      ->capture_default_str();
  list->callback([&] { status = wb::listCommand(what, filter, choice); });
}

void addSelftest(CLI::App& app, wb::SelftestRequest& options, int& status) {
  CLI::App* command =
      app.add_subcommand("selftest", "Time ATen against itself: how far from 1 does that come out here");
  command->add_option("--device", options.device, "auto, cpu or cuda:N")->capture_default_str();
  command->add_option("--repeats", options.repeats, "Of each size")
      ->check(wholeNumber(1, 10000))
      ->capture_default_str();
  command->add_flag("!--no-do-bench", options.doBench, "Do not run Triton's do_bench beside it");
  command->add_option("--json", options.json,
                      "Write the report as JSON to this file, or - for standard output");
  command->callback([&options, &status] { status = wb::selftestCommand(options); });
}

/// CLI11's words for --help, --version and what is wrong with the options.
int leave(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  const int status = app.exit(error, out, err);
  wb::show(out.str());
  std::string said = err.str();
  while (said.ends_with('\n')) said.pop_back();
  if (!said.empty()) wb::say(said);
  return status == 0 ? 0 : usageStatus;
}

int run(std::vector<std::string> arguments) {
  CLI::App app{"Warpbench: see at once whether a GPU kernel compiles, is right, and is faster than ATen"};
  app.set_version_flag("--version", std::string("warpbench ") + WB_VERSION);
  app.require_subcommand(1);
  wb::RunOptions options;
  std::string what, filter;
  wb::SuiteChoice choice;
  wb::BackendBenchRequest backendBench;
  UnusedOptions unused;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    backendBench.arguments.append(i > 1 ? " " : "").append(arguments[i]);
  arguments = wb::inTodaysWords(std::move(arguments));
  int status = 0;
  addRun(app, options, status);
  wb::RunOptions profileOptions;
  addProfile(app, profileOptions, status);
  addBackendBench(app, backendBench, unused, status);
  wb::CompareRequest compare;
  addCompare(app, compare, status);
  wb::SelftestRequest selftest;
  addSelftest(app, selftest, status);
  addList(app, what, filter, choice, status);
  app.add_subcommand("doctor", "Say what is installed, what is missing and what to do")->callback([&] {
    status = wb::doctorCommand();
  });
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) commands.push_back(command->get_name());
  if (const auto unknown = wb::unknownCommand(arguments, commands)) {
    wb::complain(*unknown);
    return usageStatus;
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
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
  int status = usageStatus;
  try {
    status = run({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& error) {
    wb::complain(error.what());
  }
  return wb::settled(status);
}
