// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/raw_cuda/expression.h"

namespace wb {

/// Memory that the worker gives the kernel beside arguments and outputs.
struct Workspace {
  std::string name;
  Expression size;       ///< elements of the type that the kernel's parameter points to …
  bool inBytes = false;  ///< … or bytes
};

/// A name with its place.
struct HeaderName {
  std::string name;
  Place place;
};

/// What the `/* warpbench … */` comment at a CUDA source's top says. Contract, with all defaults:
/// resources/help/raw-cuda.md.
struct RawCudaHeader {
  bool present = false;
  Place place;  ///< of the comment
  HeaderName op, kernel;
  std::optional<std::vector<Expression>> args;
  std::vector<Expression> grid, block;  ///< 0 to 3 each; empty is the default
  std::optional<Expression> shared;     ///< bytes of dynamic shared memory
  std::vector<std::string> options;     ///< further options of NVRTC
  Place optionsPlace;
  std::vector<Workspace> workspaces;
  std::vector<HeaderName> zero;  ///< outputs and workspaces that are set to zero before each launch
  HeaderName scalarType;         ///< tensor whose dtype is scalar_t; "" is the case's first tensor
  bool strided = false;          ///< the kernel takes tensors of any strides
  bool elementwise = false;      ///< inputs are expanded to the output's shape and converted to scalar_t
};

/// Reads the header. Errors (stage `compile`) have file, line and column: TOML's own, unknown keys (nearest
/// named), wrong types, expressions. A source without a header is all defaults.
Result<RawCudaHeader> parseRawCudaHeader(std::string_view text, const std::string& file);

}  // namespace wb
