// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/engine/compile/torch_cuda/split/splitter.h"

namespace wb {

/// More kernels in one extension, and longer names, are nobody's.
inline constexpr std::size_t mostInstances = 4096, longestInstance = 4000;

/// Whether this is how an instance of one of these kernels is named, "ns::relu<float, 4>", when whoever says
/// so is not trusted. NVRTC takes any expression for a name, so that a name could be a text of its own: here
/// its kernel has to be one of the source, and between the angles stand types and numbers with their brackets
/// in order. What an explicit specialisation is called in the source is taken as it stands there.
[[nodiscard]] bool isInstance(const std::string& name, const std::vector<std::string>& kernels);

/// Why these are not the names of kernels of this source, in words; "" when they are.
[[nodiscard]] std::string whyNoInstances(const std::vector<std::string>& names, const Split& split);

}  // namespace wb
