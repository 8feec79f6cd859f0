// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/engine/compile/raw_cuda/c_type.h"
#include "core/engine/compile/raw_cuda/header.h"
#include "core/engine/compile/raw_cuda/signature.h"

namespace wb {

/// The kernel that a header means, as an expression that the compiler can instantiate.
struct KernelChoice {
  CudaKernel kernel;
  /// The expression: "relu", "relu<scalar_t>".
  std::string nameExpression;
  TypeNames templateArguments;
};

/// The header's kernel, with its template arguments if the header gives them; else the only `__global__`
/// function, where a template of one type gets scalar_t. Errors name the kernels there are.
Result<KernelChoice> chooseKernel(const RawCudaHeader& header, const CudaSource& source);

}  // namespace wb
