// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/raw_cuda/c_type.h"
#include "core/engine/compile/raw_cuda/header.h"
#include "core/engine/compile/raw_cuda/signature.h"

namespace wb {

/// Where the value of one kernel parameter comes from.
struct ParameterSource {
  enum class Kind { argument, output, workspace, null, number };
  Kind kind = Kind::number;
  /// The index of the operator's argument, of the output or of the workspace.
  std::size_t index = 0;
  /// The value of a scalar parameter.
  Expression number;
};

/// One result of the operator.
struct PlannedOutput {
  /// The argument that is this output, in in-place and out= operators.
  std::optional<std::size_t> argument;
  /// It is allocated with the reference's strides; else contiguous.
  bool strided = false;
};

/// A header, a kernel and an operator that fit each other: everything that can be known before there is a
/// case.
struct LaunchPlan {
  RawCudaHeader header;
  CudaKernel kernel;
  /// The kernel's expression: "detail::relu<scalar_t, 256>".
  std::string nameExpression;
  /// The type names of the source, and the template's arguments.
  TypeNames aliases;
  c10::FunctionSchema schema;
  /// One per parameter.
  std::vector<ParameterSource> sources;
  std::vector<PlannedOutput> outputs;
  /// For each argument whether it is passed as it is; else it is made contiguous.
  std::vector<bool> stridedArguments;
  /// For each argument whether the operator writes to it.
  std::vector<bool> writtenArguments;
  std::vector<std::size_t> zeroOutputs, zeroWorkspaces;
  /// There is one binary per dtype, since scalar_t matters.
  bool perDtype = true;
};

/// The index of an output: 0 for "out" or "out0", 1 for "out1", …; nothing for other names.
[[nodiscard]] std::optional<std::size_t> outputIndex(const std::string& name);

/// Makes the plan. Errors (stage `compile`, with place): no kernel or several; template arguments are
/// missing; there are not as many args as parameters; unknown names; a tensor for a scalar parameter; a
/// number for a pointer; a parameter's type cannot be passed; the operator takes or returns what raw CUDA
/// cannot.
Result<LaunchPlan> planLaunch(RawCudaHeader header, const CudaSource& source, const std::string& schema);

}  // namespace wb
