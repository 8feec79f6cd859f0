// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

/// What compute-sanitizer found at one place of one function, in however many threads. Source of the format:
/// the user's guide of Compute Sanitizer, versions 2021 to 2025.
struct SanitizerFinding {
  Severity severity = Severity::error;
  std::string what;                ///< "Invalid __global__ write of size 4 bytes"
  std::string function;            ///< demangled: "scale(float *, int)"
  std::vector<Place> places;       ///< innermost first, then its callers; empty without line information
  std::vector<std::string> facts;  ///< of the first thread: who, which address, how far from what
  int count = 1;                   ///< messages that say the same
  bool operator==(const SanitizerFinding&) const = default;
};

struct SanitizerLog {
  std::vector<SanitizerFinding> findings;  ///< each once, in the order of their first message
  std::vector<std::string> notes;          ///< what the tool says of itself: "Internal Sanitizer Error: …"
  bool complete = false;                   ///< it ends with a summary
};

[[nodiscard]] SanitizerLog parseSanitizerLog(std::string_view text);

/// As a diagnostic of the kernel in file `ownFile` (as its job names it): at the innermost place there, else
/// at the innermost of all.
[[nodiscard]] Diagnostic toDiagnostic(const SanitizerFinding& finding, const std::string& tool,
                                      const std::string& ownFile);

/// One of its places is in that file.
[[nodiscard]] bool isIn(const SanitizerFinding& finding, const std::string& ownFile);

}  // namespace wb
