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
  std::size_t index = 0;  ///< of the operator's argument, the output or the workspace
  Expression number;      ///< of a scalar parameter
};

/// One result of the operator.
struct PlannedOutput {
  std::optional<std::size_t> argument;  ///< it is this argument, written to: in-place and out= operators
  bool strided = false;                 ///< allocated with the reference's strides; else contiguous
};

/// A header, a kernel and an operator that fit each other. Everything that can be known before a case is.
struct LaunchPlan {
  RawCudaHeader header;
  CudaKernel kernel;
  std::string nameExpression;  ///< "detail::relu<scalar_t, 256>"
  TypeNames aliases;           ///< type names of the source and the template's arguments
  c10::FunctionSchema schema;
  std::vector<ParameterSource> sources;  ///< one a parameter
  std::vector<PlannedOutput> outputs;
  std::vector<bool> stridedArguments;  ///< by argument: passed as it is; else made contiguous
  std::vector<bool> writtenArguments;  ///< by argument: the operator writes to it
  std::vector<std::size_t> zeroOutputs, zeroWorkspaces;
  bool perDtype = true;  ///< scalar_t matters: one binary a dtype
};

/// "out" or "out0" is 0, "out1" is 1, …; nothing for other names.
[[nodiscard]] std::optional<std::size_t> outputIndex(const std::string& name);

/// Errors (stage `compile`, with place): no kernel or several, template arguments missing, args that are not
/// as many as parameters, unknown names, a tensor for a scalar parameter, a number for a pointer, a
/// parameter's type that cannot be passed, an operator that takes or returns what raw CUDA cannot.
Result<LaunchPlan> planLaunch(RawCudaHeader header, const CudaSource& source, const std::string& schema);

}  // namespace wb
