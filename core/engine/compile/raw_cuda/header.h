// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/raw_cuda/expression.h"

namespace wb {

/// Memory that the worker gives the kernel besides arguments and outputs.
struct Workspace {
  std::string name;
  /// The size in elements of the type that the kernel's parameter points to …
  Expression size;
  /// … or in bytes.
  bool inBytes = false;
};

/// A name with its place.
struct HeaderName {
  std::string name;
  Place place;
};

/// What the `/* warpbench … */` comment at the top of a CUDA source says. resources/help/raw-cuda.md
/// describes it with all defaults.
struct RawCudaHeader {
  bool present = false;
  /// The comment's place.
  Place place;
  HeaderName op, kernel;
  std::optional<std::vector<Expression>> args;
  /// Each has 0 to 3 expressions; an empty one is the default.
  std::vector<Expression> grid, block;
  /// The bytes of dynamic shared memory.
  std::optional<Expression> shared;
  /// Further options of NVRTC.
  std::vector<std::string> options;
  Place optionsPlace;
  std::vector<Workspace> workspaces;
  /// The outputs and workspaces that are set to zero before each launch.
  std::vector<HeaderName> zero;
  /// The tensor whose dtype is scalar_t; "" is the case's first tensor.
  HeaderName scalarType;
  /// The kernel takes tensors of any strides.
  bool strided = false;
  /// Inputs are expanded to the output's shape and converted to scalar_t.
  bool elementwise = false;
};

/// Reads the header. Errors (stage `compile`) have file, line and column: TOML's own, unknown keys (the
/// nearest is named), wrong types, expressions. A source without a header has all defaults.
Result<RawCudaHeader> parseRawCudaHeader(std::string_view text, const std::string& file);

}  // namespace wb
