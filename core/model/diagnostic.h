// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace wb {

enum class Severity { note, warning, error };
[[nodiscard]] std::string_view name(Severity severity);

/// One message of a compiler (or of a Python exception) about a place in a kernel's source.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;  ///< without place and severity; continuation lines joined by '\n'
  std::string code;     ///< "-Wunused-variable", "#65-D"; may be empty
  Place place;          ///< file as the compiler named it
  std::string tool;     ///< "g++", "clang++", "nvcc", "nvrtc", "warpbench"
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace wb
