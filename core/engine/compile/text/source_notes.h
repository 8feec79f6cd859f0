// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/diagnostic.h"

namespace wb {

/// What a source uses that whoever believes its times may want to look at: streams, threads, sub-processes,
/// clocks, files, network, signals, a look at its callers, changes of what others use. There is one note for
/// each of these, at its first place, and in C++ one where "#pragma omp" stands, which has no effect. The
/// notes are words for people: honest kernels use all of these, and who wants to hide something can. Comments
/// and strings are passed over; nothing is resolved, so that a name that was given another one is not found.
[[nodiscard]] std::vector<Diagnostic> notesOnCpp(std::string_view text, const std::string& file);
[[nodiscard]] std::vector<Diagnostic> notesOnPython(std::string_view text, const std::string& file);

}  // namespace wb
