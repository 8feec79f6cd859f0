// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace wb {

/// One thing that was looked at on this machine.
struct DoctorLine {
  /// `missing` is what kernels can run without; `bad` is what they need.
  enum class State { good, missing, bad };
  State state = State::good;
  /// What was looked at: "torch", "device cuda:0", "cache folder".
  std::string what;
  std::string found;
  /// What can be done about it; "" where nothing needs to be done.
  std::string hint{};
  bool operator==(const DoctorLine&) const = default;
};

/// "ok", "missing" or "wrong".
[[nodiscard]] std::string_view name(DoctorLine::State state);

/// Looks at everything that kernels need here: what the worker finds (torch, compilers, the driver), devices,
/// the cache, suites and walls. This starts a worker and may take seconds. When it is stopped, it says what
/// it has found so far.
[[nodiscard]] std::vector<DoctorLine> examineMachine(const std::stop_token& stop = {});

/// Whether kernels can run here, on the CPU at least.
[[nodiscard]] bool canRunKernels(const std::vector<DoctorLine>& lines);
/// "Kernels can run here." or "Kernels cannot run here yet."
[[nodiscard]] std::string conclusion(const std::vector<DoctorLine>& lines);

}  // namespace wb
