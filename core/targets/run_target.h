// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/enum.h"
#include "core/base/result.h"

namespace wb {

/// What starts the workers of a target: this machine, ssh, or the scheduler Slurm.
WB_ENUM(TargetKind, local, ssh, slurm);

/// Where kernels are run. As a text it is one of
///   local [cpu|cuda:N]
///   ssh://[USER@]HOST[:PORT][/cpu|/cuda:N]
///   slurm://[PARTITION]
///   ssh://[USER@]HOST[:PORT]/slurm://[PARTITION]
/// and may end with options: "?python=/opt/torch/bin/python3&cache=/scratch/me". Values may hold %XX.
struct RunTarget {
  /// The name by which it is known; "" where it was given as a text.
  std::string name{};
  TargetKind kind = TargetKind::local;
  /// "cpu" or "cuda:N"; "" is the first GPU there, or the CPU where there is none.
  std::string device{};
  /// Of ssh, and of Slurm where its login node is reached by ssh; the host may be an alias of ssh's own
  /// configuration.
  std::string user{}, host{};
  /// 0 leaves it to ssh.
  int port = 0;
  /// Of Slurm; "" leaves it to the scheduler.
  std::string partition{};
  /// The interpreter whose torch is used there; "" is the one that is found there.
  std::string python{};
  /// The folder for Warpbench's files there; "" is ~/.cache/warpbench.
  std::string cache{};
  /// What else was asked for, in the order in which it was given: for ssh "config" and "grace", for Slurm
  /// options such as "gres" and "time", and "wait", the longest wait in the queue in minutes. The names are
  /// known ones.
  std::vector<std::pair<std::string, std::string>> options{};
  bool operator==(const RunTarget&) const = default;
};

/// All forms of a target's text, for people.
inline constexpr std::string_view targetForms =
    "\"local [cpu|cuda:N]\", ssh://[USER@]HOST[:PORT][/cuda:N], slurm://[PARTITION]?gres=gpu:1&time=30, or "
    "the same behind a login node: ssh://LOGIN/slurm://[PARTITION]?gres=gpu:1&time=30";

/// The value of an option; "" where it was not given.
[[nodiscard]] std::string_view optionOf(const RunTarget& target, std::string_view option);

/// Whether Warpbench's programs reach it by ssh.
[[nodiscard]] inline bool isBehindSsh(const RunTarget& target) {
  return !target.host.empty();
}

/// A target that is reached by ssh, as it is called on the machine there: a host is that machine itself, and
/// a cluster is the one of which it is the login node.
[[nodiscard]] RunTarget seenThere(const RunTarget& target);

/// The options that such a target may have, without python and cache, which all may have.
[[nodiscard]] std::vector<std::string> targetOptions(const RunTarget& target);

/// Whether an option of a target may have this value. Error: what is wrong with it.
Result<void> checkTargetOption(std::string_view option, std::string_view value);

/// Reads a target's text. The error says at which character it stopped, and what would be right there.
Result<RunTarget> parseTarget(std::string_view text);

/// The text that parseTarget() reads back, without the name.
[[nodiscard]] std::string format(const RunTarget& target);

/// What people call it: its name, or its text without options.
[[nodiscard]] std::string titleOf(const RunTarget& target);

/// Why a text cannot be the name of a target; "" when it can.
[[nodiscard]] std::string whyNoTargetName(std::string_view name);

}  // namespace wb
