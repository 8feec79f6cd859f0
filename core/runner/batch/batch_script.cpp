// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_script.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

/// As a shell reads it back.
std::string forShell(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// As sbatch reads it back in a #SBATCH line.
std::string inDirective(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// In the name of a file % stands for numbers.
std::string withoutNumbers(std::string text) {
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2))
    text.insert(at, 1, '%');
  return text;
}

/// What a cluster's scheduler is told.
std::string directives(const Batch& batch) {
  std::string lines;
  const auto directive = [&](std::string_view option) { lines += fmt::format("#SBATCH {}\n", option); };
  directive(fmt::format("--job-name=warpbench-{}", batch.id()));
  for (const std::string& option : slurmOptions(batch.target)) {
    const std::size_t value = option.find('=') + 1;
    const bool isOdd = option.find_first_of(" \"'\\#", value) != std::string::npos;
    directive(isOdd ? option.substr(0, value) + inDirective(option.substr(value)) : option);
  }
  directive("--nodes=1");
  directive("--ntasks=1");
  if (batch.shards > 1) directive(fmt::format("--array=0-{}", batch.shards - 1));
  lines +=
      "# A shard whose node fails, or that has to make room, goes on later with what it has not done yet.\n";
  directive("--requeue");
  directive("--open-mode=append");
  const std::string folder = withoutNumbers((batch.folder / "").string());
  directive("--output=" + inDirective(folder + (batch.shards > 1 ? "log-%a.txt" : "log-0.txt")));
  return lines;
}

}  // namespace

std::string batchScript(const Batch& batch, const std::filesystem::path& program) {
  const bool isCluster = batch.target.kind == TargetKind::slurm;
  std::string script = "#!/bin/bash\n";
  if (isCluster) script += directives(batch);
  script += fmt::format(
      "\n# Run {} of Warpbench, {}. `warpbench attach {}` shows how it goes, and its result.\n", batch.id(),
      batch.shards == 1 ? "in one part" : fmt::format("in {} parts", batch.shards), batch.id());
  if (isCluster)
    script +=
        "# Lines that begin with #SBATCH may be changed; the tasks of the array are the parts of the run.\n";
  if (!batch.target.cache.empty())
    script += fmt::format("export WARPBENCH_CACHE={0} WARPBENCH_DATA={0}\n", forShell(batch.target.cache));
  if (!batch.target.python.empty())
    script += fmt::format("export WARPBENCH_PYTHON={}\n", forShell(batch.target.python));
  script += fmt::format("exec {} shard {} --number=\"${{SLURM_ARRAY_TASK_ID:-0}}\"\n",
                        forShell(program.string()), forShell(batch.folder.string()));
  return script;
}

}  // namespace wb
