// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/runner/batch/batch_end.h"
#include "core/runner/batch/batch_process.h"
#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

constexpr std::chrono::seconds answerLimit{30};

bool isOnCluster(const Batch& batch) {
  return batch.target.kind == TargetKind::slurm;
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
  return Error{Stage::setup, fmt::format("{}: {}", program, trimmed(run.err)), "try `sinfo`", {}};
}

}  // namespace

Result<std::string> submitScript(const Batch& batch) {
  if (!isOnCluster(batch)) return startBatchProcess(batch);
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
  QueueState state{.running = batchProcess(batch) > 0 ? 1 : 0};
  if (isOnCluster(batch)) {
    WB_TRY(const std::string said,
           ask({"squeue", "--noheader", "--array", "--name=warpbench-" + batch.id(), "--format=%T|%r"}));
    state = queueState(said);
  }
  if (state.waiting + state.running == 0) state.endedBy = whyItEnded(batch);
  return state;
}

Result<void> cancelBatch(const Batch& batch) {
  if (!isOnCluster(batch)) return endBatchProcess(batch);
  WB_DO(ask({"scancel", "--quiet", "--name=warpbench-" + batch.id()}));
  return {};
}

}  // namespace wb
