// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/target_look.h"

#include <chrono>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"

namespace wb {
namespace {

constexpr std::chrono::seconds patience{10};
/// What a login prints stands before the first of these.
constexpr std::string_view nodesMark = "WARPBENCH NODES\n", queueMark = "WARPBENCH QUEUE\n";

std::string question(const RunTarget& target) {
  // Nothing in a partition's name means anything to a shell.
  const std::string partition = target.partition.empty() ? "" : " --partition=" + target.partition;
  return "echo WARPBENCH NODES; sinfo --noheader --format=%a/%A" + partition +
         " && echo WARPBENCH QUEUE && squeue --noheader --states=PENDING --format=%i" + partition;
}

std::string firstLine(std::string_view text) {
  text = trimmed(text);
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

TargetGlance lookAt(const RunTarget& target, const std::stop_token& stop) {
  if (!isBehindSsh(target) || target.kind != TargetKind::slurm) return glanceAt(target, stop);
  const auto answer = callHost(target, sshSockets(), question(target), {}, patience, {}, stop);
  if (!answer) return {false, answer.error().text};
  const std::string_view out = answer->out;
  const std::size_t nodes = out.find(nodesMark), queue = out.find(queueMark);
  if (nodes == out.npos) return {false, failureOf(target, *answer).text};
  const std::size_t from = nodes + nodesMark.size();
  // What the queue holds may be missing: the nodes have been told.
  if (queue != out.npos)
    return partitionGlance(out.substr(from, queue - from), out.substr(queue + queueMark.size()));
  if (answer->timedOut) return {false, "the cluster's scheduler does not answer"};
  const std::string why = firstLine(answer->err);
  return {false, why.empty() ? "the cluster's scheduler says nothing" : why};
}

}  // namespace wb
