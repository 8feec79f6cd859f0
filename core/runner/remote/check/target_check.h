// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/targets/run_target.h"

namespace wb {

/// One thing that was looked at on the way to a target.
struct TargetFinding {
  /// `missing` is what kernels can run without; `bad` is what they need.
  enum class State { good, missing, bad };
  State state = State::good;
  /// What was looked at: "connection", "torch", "device cuda:0".
  std::string what;
  std::string found;
  /// What can be done about it; "" where nothing needs to be done.
  std::string hint{};
  /// How long it took to find out.
  double seconds = 0;
  /// makeTorch() would mend it.
  bool needsTorch = false;
};

/// Looks step by step whether kernels can run on a target, and tells of each step when it is done: the
/// connection and its keys, Warpbench's programs there (which are copied), Python with torch, compilers, the
/// driver and its counters, devices, and a worker that starts; on a cluster the scheduler, its queue, and a
/// worker that starts on a node. Stops at the first step without which no other
/// can be done. Gives whether kernels can run there. Once `stop` asks for it nothing more is told, and the
/// check ends within a second.
bool checkTarget(const RunTarget& target, const std::function<void(const TargetFinding&)>& tell,
                 const std::stop_token& stop = {});

/// Makes a virtual environment with torch on the host of an ssh target, which takes minutes and gigabytes.
/// `say` hears what is done; `stop` ends that within a second. Gives the path of the new interpreter there.
Result<std::string> makeTorch(const RunTarget& target, const std::function<void(const std::string&)>& say,
                              const std::stop_token& stop = {});

}  // namespace wb
