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
  std::string message;  ///< without place and severity; continuation lines joined by '\n'
  std::string code;     ///< "-Wunused-variable", "#65-D"; may be empty
  Place place;          ///< file as the compiler named it
  std::string tool;     ///< "g++", "clang++", "nvcc", "nvrtc", "warpbench"
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace wb
