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

/// One case's tensors and numbers in the places that a kernel wants them: all of a launch but the kernel.
struct LaunchBinding {
  Stack arguments;                     ///< as given
  std::vector<at::Tensor> passed;      ///< by argument: the tensor whose data the kernel gets, or undefined
  std::vector<std::string> copied;     ///< arguments that were converted or made contiguous for the kernel
  std::vector<std::size_t> writeBack;  ///< arguments passed as contiguous copies that the kernel writes
  std::vector<at::Tensor> outputs;     ///< by output; undefined where it is an argument
  std::vector<at::Tensor> workspaces;  ///< bytes
  std::vector<PackedScalar> values;    ///< by parameter: pointer or scalar
  std::string dtype;                   ///< abbreviation of scalar_t
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t sharedBytes = 0;
  bool empty = false;  ///< a grid dimension is zero: nothing to launch
};

/// Evaluates the plan for a case on GPU `device`: copies what must be contiguous, allocates outputs and
/// workspaces. Errors (stage `check`): expressions, values that do not fit, a pointer's type that is not the
/// tensor's, tensors of other devices. Throws what torch throws.
Result<LaunchBinding> bindLaunch(const LaunchPlan& plan, const Stack& arguments, const OutputPlan& expected,
                                 int device);

/// Abbreviation of a dtype: "f16"; "" for one that the model does not know.
[[nodiscard]] std::string abbreviation(at::ScalarType type);

}  // namespace wb
