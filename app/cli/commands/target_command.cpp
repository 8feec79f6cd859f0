// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands/verb.h"
#include "app/cli/output/output.h"
#include "app/cli/output/terminal.h"
#include "core/base/quantity.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/remote/check/target_check.h"
#include "core/targets/target_file.h"

namespace wb {
namespace {

struct Options {
  std::string name, where, python, cache;
  bool replace = false;
  std::function<int(const Options&)> action;
};

int list(const Options& /*options*/) {
  const auto targets = readTargets(targetFile());
  if (!targets) return refuse(targets.error());
  if (targets->empty()) show("There are no targets yet. Add one: warpbench target add box ssh://me@box\n");
  for (const RunTarget& target : *targets) show(fmt::format("{:<16} {}\n", target.name, format(target)));
  return ExitStatus::good;
}

Result<RunTarget> targetOf(const Options& options) {
  if (const std::string why = whyNoTargetName(options.name); !why.empty())
    return Error{Stage::job, fmt::format("\"{}\" cannot be a target's name: {}", options.name, why),
                 "give it another name"};
  WB_TRY(RunTarget target, parseTarget(options.where));
  target.name = options.name;
  if (!options.python.empty()) target.python = options.python;
  if (!options.cache.empty()) target.cache = options.cache;
  return target;
}

bool has(const std::vector<RunTarget>& targets, const std::string& name) {
  return std::ranges::any_of(targets, [&](const RunTarget& each) { return each.name == name; });
}

void removeFrom(std::vector<RunTarget>& targets, const std::string& name) {
  std::erase_if(targets, [&](const RunTarget& each) { return each.name == name; });
}

int change(const TargetChange& what, const std::string& done) {
  if (const auto changed = changeTargets(targetFile(), what); !changed) return refuse(changed.error());
  show(done + "\n");
  return ExitStatus::good;
}

int add(const Options& options) {
  const auto target = targetOf(options);
  if (!target) return refuse(target.error());
  const auto put = [&](std::vector<RunTarget>& targets) -> Result<void> {
    if (has(targets, options.name) && !options.replace)
      return Error{Stage::job, fmt::format("there is a target {} already", options.name),
                   "choose another name, or --replace it"};
    removeFrom(targets, options.name);
    targets.push_back(*target);
    return {};
  };
  return change(put, fmt::format("{} is {}. See whether it works: warpbench target test {}", options.name,
                                 format(*target), options.name));
}

int removeOne(const Options& options) {
  const auto take = [&](std::vector<RunTarget>& targets) -> Result<void> {
    const auto known = findTarget(options.name, targets);
    if (!known) return known.error();
    removeFrom(targets, options.name);
    return {};
  };
  return change(take, fmt::format("{} is removed.", options.name));
}

Ink inkOf(TargetFinding::State state) {
  return state == TargetFinding::State::good      ? Ink::green
         : state == TargetFinding::State::missing ? Ink::yellow
                                                  : Ink::red;
}
std::string_view wordFor(TargetFinding::State state) {
  return state == TargetFinding::State::good      ? "ok"
         : state == TargetFinding::State::missing ? "missing"
                                                  : "wrong";
}

/// Gives 0 when kernels can run there, else 3.
int test(const Options& options) {
  const auto known = readTargets(targetFile());
  if (!known) return refuse(known.error());
  const auto target = findTarget(options.name, *known);
  if (!target) return refuse(target.error());
  const Terminal out = terminal(STDOUT_FILENO);
  const bool good = checkTarget(*target, [&](const TargetFinding& one) {
    const std::string mark = ink(out, inkOf(one.state), fmt::format("{:<7}", wordFor(one.state)));
    show(fmt::format("{}  {:<18} {} ({})\n", mark, printableLines(one.what), printableLines(one.found),
                     formatSeconds(one.seconds)));
    if (!one.hint.empty()) show(fmt::format("         {:<18} {}\n", "", ink(out, Ink::dim, "→ " + one.hint)));
    flushShown();
  });
  show(good ? "Kernels can run there.\n" : "Kernels cannot run there yet.\n");
  return good ? ExitStatus::good : ExitStatus::noWorker;
}

}  // namespace

Verb targetVerb() {
  auto options = std::make_shared<Options>();
  const auto declare = [options](CLI::App& app) {
    app.require_subcommand(1);
    app.footer(fmt::format("A target is {}.", targetForms));
    const auto sub = [&](const char* name, const char* summary, int (*action)(const Options&)) {
      CLI::App* command = app.add_subcommand(name, summary);
      command->callback([options, action] { options->action = action; });
      return command;
    };
    CLI::App* adding = sub("add", "Give a target a name", add);
    adding->add_option("NAME", options->name, "Its name")->required();
    adding
        ->add_option("WHERE", options->where,
                     fmt::format("{}; options may follow a question mark, such as "
                                 "python=/opt/torch/bin/python3",
                                 targetForms))
        ->required();
    adding->add_option("--python", options->python, "Python there whose torch and packages are used");
    adding->add_option("--cache", options->cache, "Folder there for Warpbench's files (~/.cache/warpbench)");
    adding->add_flag("--replace", options->replace, "In the place of one of the same name");
    sub("list", "List the targets", list);
    for (CLI::App* command : {sub("test", "See step by step whether kernels can run on a target", test),
                              sub("remove", "Forget a target", removeOne)})
      command->add_option("NAME", options->name, "The target's name, or for a test where it is")->required();
  };
  return {"target", "Name, test and list other machines to run on", declare,
          [options](const std::string&) { return options->action(*options); }};
}

}  // namespace wb
