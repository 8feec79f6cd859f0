// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace wb {

/// A header that kernels are compiled with, carried inside the program (from standin/).
struct StandinHeader {
  std::string_view path;  ///< relative: "torch/extension.h"
  std::string_view text;
};

[[nodiscard]] std::span<const StandinHeader> standinHeaders();

}  // namespace wb
