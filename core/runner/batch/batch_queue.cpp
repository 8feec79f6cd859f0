// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
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

// Slurm's words (job_state_string() in its sources). All others mean that a task is on a node, or on its way
// from it: a task that is put back into the queue is COMPLETING, then PENDING.
constexpr std::array<std::string_view, 10> overStates{"COMPLETED",     "FAILED",    "CANCELLED", "TIMEOUT",
                                                      "DEADLINE",      "NODE_FAIL", "BOOT_FAIL", "PREEMPTED",
                                                      "OUT_OF_MEMORY", "REVOKED"};
constexpr std::array<std::string_view, 6> waitingStates{"PENDING",      "REQUEUED",     "REQUEUE_FED",
                                                        "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"};

bool isIn(std::span<const std::string_view> states, std::string_view state) {
  return std::ranges::find(states, state) != states.end();
}

bool isOnCluster(const Batch& batch) {
  return batch.target.kind == TargetKind::slurm;
}

Result<std::string> ask(const RunTarget& target, std::vector<std::string> argv) {
  const std::string program = argv.front();
  WB_TRY(const Captured run,
         runToEnd({.argv = std::move(argv), .folder = {}, .environment = {}}, answerLimit));
  if (run.ok()) return run.out;
  if (run.timedOut)
    return Error{Stage::setup,
                 fmt::format("{} did not answer within {} s", program, answerLimit.count()),
                 "try `sinfo`; where that hangs too, the cluster's administrators have to help",
                 {}};
  const StartState refused = slurmStart(target, run.err);
  if (refused.failure) return *refused.failure;
  return Error{Stage::setup, fmt::format("{}: {}", program, trimmed(run.err)), "try `sinfo`", {}};
}

}  // namespace

Result<std::string> submitScript(const Batch& batch) {
  if (!isOnCluster(batch)) return startBatchProcess(batch);
  WB_TRY(const std::string said, ask(batch.target, {"sbatch", "--parsable", batch.script().string()}));
  // Where there are several clusters, "17;name".
  return said.substr(0, said.find_first_of(";\n"));
}

QueueState queueState(std::string_view lines) {
  QueueState state;
  for (const std::string_view line : splitLines(lines)) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) continue;
    const std::string_view task = line.substr(0, bar), reason = line.substr(bar + 1);
    if (isIn(overStates, task)) {
      if (task != "COMPLETED") state.endedAs = task;
    } else if (isIn(waitingStates, task)) {
      ++state.waiting;
      if (state.reason.empty() && reason != "None") state.reason = reason;
    } else {
      ++state.running;
    }
  }
  return state;
}

Result<QueueState> askQueue(const Batch& batch) {
  QueueState state{.running = batchProcess(batch) > 0 ? 1 : 0};
  if (isOnCluster(batch)) {
    WB_TRY(const std::string said,
           ask(batch.target, {"squeue", "--noheader", "--array", "--states=all", "--sort=i",
                              "--name=warpbench-" + batch.id(), "--format=%T|%r"}));
    state = queueState(said);
  }
  if (state.isOver()) state.endedBy = whyItEnded(batch, state.endedAs);
  return state;
}

Result<void> cancelBatch(const Batch& batch) {
  if (!isOnCluster(batch)) return endBatchProcess(batch);
  WB_DO(ask(batch.target, {"scancel", "--quiet", "--name=warpbench-" + batch.id()}));
  return {};
}

}  // namespace wb
