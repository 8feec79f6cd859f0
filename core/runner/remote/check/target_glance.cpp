// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/check/target_glance.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"

namespace wb {
namespace {

constexpr std::chrono::seconds patience{10};
/// What a login prints stands before the first of these.
constexpr std::string_view nodesMark = "WARPBENCH NODES\n", queueMark = "WARPBENCH QUEUE\n";

int number(std::string_view text) {
  return std::atoi(std::string(text).c_str());  // NOLINT(cert-err34-c)
}

TargetGlance glanceAtHost(const RunTarget& target, const std::stop_token& stop) {
  const auto answer = callHost(target, sshSockets(), "exit 0", {}, patience, {}, stop);
  if (!answer) return {false, answer.error().text};
  if (!answer->ok()) return {false, failureOf(target, *answer).text};
  return {true, "in reach"};
}

std::string firstLine(std::string_view text) {
  text = trimmed(text);
  return std::string(text.substr(0, text.find('\n')));
}

/// The scheduler's own tools are asked on the login node, by one connection.
TargetGlance glanceThroughLogin(const RunTarget& target, const std::stop_token& stop) {
  // Nothing in a partition's name means anything to a shell.
  const std::string partition = target.partition.empty() ? "" : " --partition=" + target.partition;
  const std::string question = "echo WARPBENCH NODES; sinfo --noheader --format=%a/%A" + partition +
                               " && echo WARPBENCH QUEUE && squeue --noheader --states=PENDING --format=%i" +
                               partition;
  const auto answer = callHost(target, sshSockets(), question, {}, patience, {}, stop);
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

TargetGlance glanceAtCluster(const RunTarget& target, const std::stop_token& stop) {
  Command nodes{.argv = {"sinfo", "--noheader", "--format=%a/%A"}};
  Command waiting{.argv = {"squeue", "--noheader", "--states=PENDING", "--format=%i"}};
  if (!target.partition.empty())
    for (Command* each : {&nodes, &waiting}) each->argv.push_back("--partition=" + target.partition);
  const auto there = runToEnd(nodes, patience, stop);
  if (!there) return {false, "Slurm's programs are not on this machine"};
  if (!there->ok()) return {false, firstLine(there->err)};
  const auto queue = runToEnd(waiting, patience, stop);
  return partitionGlance(there->out, queue && queue->ok() ? queue->out : std::string());
}

}  // namespace

TargetGlance partitionGlance(std::string_view nodes, std::string_view waiting) {
  int busy = 0, idle = 0;
  bool isUp = false;
  for (const std::string_view line : splitLines(nodes)) {
    // "up/3/5": whether jobs may start there, how many nodes are allocated, how many are idle.
    const std::vector<std::string_view> fields = split(trimmed(line), '/');
    if (fields.size() != 3) continue;
    isUp = isUp || fields[0] == "up";
    busy += number(fields[1]);
    idle += number(fields[2]);
  }
  if (busy + idle == 0) return {false, "the cluster has no such partition, or no node of it is well"};
  if (!isUp) return {false, "the partition starts no jobs now"};
  std::string words = fmt::format("{} of {} {} idle", idle, busy + idle, busy + idle == 1 ? "node" : "nodes");
  int jobs = 0;
  for (const std::string_view line : splitLines(waiting)) jobs += trimmed(line).empty() ? 0 : 1;
  if (jobs > 0) words += fmt::format(", {} {} waiting", jobs, jobs == 1 ? "job" : "jobs");
  return {true, std::move(words)};
}

TargetGlance glanceAt(const RunTarget& target, const std::stop_token& stop) {
  const bool isCluster = target.kind == TargetKind::slurm;
  if (isBehindSsh(target)) return isCluster ? glanceThroughLogin(target, stop) : glanceAtHost(target, stop);
  if (isCluster) return glanceAtCluster(target, stop);
  return {true, "this machine"};
}

}  // namespace wb
