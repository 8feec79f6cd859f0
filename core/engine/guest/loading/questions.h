// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/guest/channel/bytes.h"

namespace wb {

/// What a guest's message begins with that is no answer. While it loads a kernel it asks its judge for what
/// is built of a text, and for the kernels that a loaded extension names.
inline constexpr std::uint8_t asksForBuild = 2, asksForKernels = 3;
/// No question is longer, in bytes.
inline constexpr std::size_t mostQuestion = std::size_t{1} << 20;

void write(ByteWriter& to, const TextToBuild& text);
[[nodiscard]] TextToBuild readTextToBuild(ByteReader& from);
/// The judge's answer to that; nothing where it builds no such text.
void write(ByteWriter& to, const std::optional<BuiltText>& built);
[[nodiscard]] std::optional<BuiltText> readBuiltText(ByteReader& from);

/// The names of kernels, "ns::relu<float>".
void write(ByteWriter& to, const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> readNames(ByteReader& from);
/// The judge's answer to them.
void write(ByteWriter& to, const Result<NamedKernels>& kernels);
[[nodiscard]] Result<NamedKernels> readNamedKernels(ByteReader& from);

}  // namespace wb
