// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/reference/operator.h"
#include "core/engine/sides/process_state.h"
#include "core/engine/sides/turns.h"
#include "core/model/job.h"

namespace wb {

/// A compiled kernel and what it is measured against: what checking and timing share.
struct KernelContext {
  const Job& job;
  c10::OperatorHandle op;
  Candidate& candidate;
  std::string device;
  std::uint64_t secret = 0;  ///< drawn once per process: seeds the timed inputs
  std::stop_token stop;
  /// Positions of arguments that the operator may change: in-place operators and `out=`.
  std::vector<std::size_t> mutableArguments;
  /// Arguments from the problem's own get_inputs(), for cases whose values are "own"; may be empty.
  std::function<Result<Stack>(std::uint64_t seed)> ownInputs;
  /// Keeps what the candidate sets away from the reference; null where no code of the user's runs on the
  /// host.
  SideStates* states = nullptr;
  Turns* turns = nullptr;  ///< where it is told which side runs; none in parts of tests
};

/// Says who is at work from here on.
inline void tellSide(const KernelContext& kernel, std::optional<Side> side) {
  if (kernel.turns) kernel.turns->now(side);
}

/// Positions of the arguments that a schema annotates as written to: "Tensor(a!) self".
[[nodiscard]] std::vector<std::size_t> mutableArguments(const c10::FunctionSchema& schema);

}  // namespace wb
