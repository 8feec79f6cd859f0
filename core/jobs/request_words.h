// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

// These parse parts of a request as people write them. The errors name the word, and not the option to which
// it was given.

/// The tolerance of a preset ("torch", "backendbench", "strict"), or of "RTOL,ATOL".
Result<Tolerance> toleranceOf(const std::string& text);

/// The ids of sections of metrics, "quick" and "all"; "none" alone means no section. Error: an unknown
/// section, with the nearest known one.
Result<std::vector<std::string>> sectionsOf(std::vector<std::string> words);

}  // namespace wb
