// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wb {

/// What stands for a dtype that nobody chose.
inline constexpr std::string_view automaticDtype = "auto";

/// The floating type that a kernel's text is written for, as torch names it: "float32" for one that takes
/// float* or asks for kFloat. "" for one that takes any (scalar_t, a dispatch over types, Triton's pointers),
/// names bfloat16, or says nothing. Comments do not count.
[[nodiscard]] std::string namedDtype(std::string_view text);

/// The dtype of a made suite's samples: `chosen`, or for "auto" the one that all of the kernels' texts are
/// written for, else bfloat16, BackendBench's.
[[nodiscard]] std::string suiteDtype(const std::string& chosen, std::span<const std::string> texts);

}  // namespace wb
