// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/enum.h"
#include "core/base/error.h"

namespace wb {

WB_ENUM(Severity, note, warning, error);

/// One message of a compiler (or of a Python exception) about a place in a kernel's source.
struct Diagnostic {
  Severity severity = Severity::error;
  /// The message without place and severity; continuation lines are joined by '\n'.
  std::string message;
  /// The code, "-Wunused-variable" or "#65-D"; may be empty.
  std::string code;
  /// The place, with the file as the compiler named it.
  Place place;
  /// The tool: "g++", "clang++", "nvcc", "nvrtc", "warpbench".
  std::string tool;
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace wb
