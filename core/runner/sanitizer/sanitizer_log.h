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
  /// What was found: "Invalid __global__ write of size 4 bytes".
  std::string what;
  /// The demangled function: "scale(float *, int)".
  std::string function;
  /// The places, innermost first, then its callers; empty without line information.
  std::vector<Place> places;
  /// Facts about the first thread: which thread, which address, how far from what.
  std::vector<std::string> facts;
  /// How many messages say the same.
  int count = 1;
  bool operator==(const SanitizerFinding&) const = default;
};

struct SanitizerLog {
  /// The findings, each once, in the order of their first message.
  std::vector<SanitizerFinding> findings;
  /// What the tool says about itself: "Internal Sanitizer Error: …".
  std::vector<std::string> notes;
  /// The log ends with a summary.
  bool complete = false;
};

[[nodiscard]] SanitizerLog parseSanitizerLog(std::string_view text);

/// The finding as a diagnostic of the kernel in file `ownFile` (as its job names it): at the innermost place
/// there, else at the innermost place of all.
[[nodiscard]] Diagnostic toDiagnostic(const SanitizerFinding& finding, const std::string& tool,
                                      const std::string& ownFile);

/// Whether one of its places is in that file.
[[nodiscard]] bool isIn(const SanitizerFinding& finding, const std::string& ownFile);

}  // namespace wb
