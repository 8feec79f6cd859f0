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
  std::string nameExpression;  ///< "relu", "relu<scalar_t>"
  TypeNames templateArguments;
};

/// The header's kernel, with its template arguments if it gives them; else the only `__global__` function; a
/// template of one type gets scalar_t. Errors name the kernels there are.
Result<KernelChoice> chooseKernel(const RawCudaHeader& header, const CudaSource& source);

}  // namespace wb
