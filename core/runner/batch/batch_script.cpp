// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

constexpr std::chrono::seconds answerLimit{30};

/// As a shell reads it back.
std::string forShell(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// As sbatch reads it back in a #SBATCH line, where % stands for numbers.
std::string inDirective(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
    if (c == '%') result += '%';
  }
  return result + "\"";
}

Result<std::string> ask(std::vector<std::string> argv) {
  const std::string program = argv.front();
  WB_TRY(const Captured run,
         runToEnd({.argv = std::move(argv), .folder = {}, .environment = {}}, answerLimit));
  if (run.ok()) return run.out;
  if (run.timedOut)
    return Error{Stage::setup,
                 fmt::format("{} did not answer within {} s", program, answerLimit.count()),
                 "try `sinfo`; where that hangs too, the cluster's administrators have to help",
                 {}};
  const StartState refused = slurmStart({}, run.err);
  if (refused.failure) return *refused.failure;
  return Error{Stage::setup, fmt::format("{}: {}", program, run.err), "try `sinfo`", {}};
}

}  // namespace

std::string batchScript(const Batch& batch, const std::filesystem::path& program) {
  std::string script = "#!/bin/bash\n";
  const auto directive = [&](std::string_view option) { script += fmt::format("#SBATCH {}\n", option); };
  directive(fmt::format("--job-name=warpbench-{}", batch.id()));
  for (const std::string& option : slurmOptions(batch.target)) directive(option);
  directive("--nodes=1");
  directive("--ntasks=1");
  if (batch.shards > 1) directive(fmt::format("--array=0-{}", batch.shards - 1));
  script +=
      "# A shard whose node fails, or that has to make room, goes on later with what it has not done yet.\n";
  directive("--requeue");
  directive("--open-mode=append");
  const std::string log = inDirective((batch.folder / "").string());
  directive(fmt::format("--output={}{}\"", log.substr(0, log.size() - 1),
                        batch.shards > 1 ? "log-%a.txt" : "log-0.txt"));
  script += fmt::format(
      "\n# Run {} of Warpbench, {}. `warpbench attach {}` shows how it goes, and its result.\n"
      "# Lines that begin with #SBATCH may be changed; the tasks of the array are the parts of the run.\n",
      batch.id(), batch.shards == 1 ? "in one part" : fmt::format("in {} parts", batch.shards), batch.id());
  if (!batch.target.python.empty())
    script += fmt::format("export WARPBENCH_PYTHON={}\n", forShell(batch.target.python));
  script += fmt::format("exec {} shard {} --number=\"${{SLURM_ARRAY_TASK_ID:-0}}\"\n",
                        forShell(program.string()), forShell(batch.folder.string()));
  return script;
}

Result<std::string> submitScript(const Batch& batch) {
  WB_TRY(const std::string said, ask({"sbatch", "--parsable", batch.script().string()}));
  // Where there are several clusters, "17;name".
  return said.substr(0, said.find_first_of(";\n"));
}

QueueState queueState(std::string_view lines) {
  QueueState state;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) continue;
    if (!line.starts_with("PENDING")) {
      ++state.running;
      continue;
    }
    ++state.waiting;
    const std::string_view reason = line.substr(bar + 1);
    if (state.reason.empty() && reason != "None") state.reason = reason;
  }
  return state;
}

Result<QueueState> askQueue(const Batch& batch) {
  WB_TRY(const std::string said,
         ask({"squeue", "--noheader", "--array", "--name=warpbench-" + batch.id(), "--format=%T|%r"}));
  return queueState(said);
}

Result<void> cancelBatch(const Batch& batch) {
  WB_DO(ask({"scancel", "--quiet", "--name=warpbench-" + batch.id()}));
  return {};
}

}  // namespace wb
