// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/compile/raw_cuda/launch_plan.h"

namespace wb {

/// One case's tensors and numbers in the places where a kernel wants them: everything of a launch except the
/// kernel.
struct LaunchBinding {
  /// The arguments as they were given.
  Stack arguments;
  /// For each argument the tensor whose data the kernel gets, or an undefined one.
  std::vector<at::Tensor> passed;
  /// The arguments that were converted or made contiguous for the kernel.
  std::vector<std::string> copied;
  /// The arguments that the kernel writes and that were passed as contiguous copies.
  std::vector<std::size_t> writeBack;
  /// The outputs; one is undefined where it is an argument.
  std::vector<at::Tensor> outputs;
  /// The workspaces, as bytes.
  std::vector<at::Tensor> workspaces;
  /// For each parameter its pointer or scalar.
  std::vector<PackedScalar> values;
  /// The abbreviation of scalar_t.
  std::string dtype;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t sharedBytes = 0;
  /// A dimension of the grid is zero, so there is nothing to launch.
  bool empty = false;
};

/// Evaluates the plan for a case on GPU `device`: copies what must be contiguous, and allocates outputs and
/// workspaces. Errors (stage `check`): expressions, values that do not fit, a pointer whose type is not the
/// tensor's, tensors of other devices. Throws what torch throws.
Result<LaunchBinding> bindLaunch(const LaunchPlan& plan, const Stack& arguments, const OutputPlan& expected,
                                 int device);

/// The abbreviation of a dtype, "f16"; "" for one that the model does not know.
[[nodiscard]] std::string abbreviation(at::ScalarType type);

}  // namespace wb
