// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

// Parts of a request as people write them. The errors name the word, not the option that it was given to.

/// A preset ("torch", "backendbench", "strict"), or "RTOL,ATOL".
Result<Tolerance> toleranceOf(const std::string& text);

/// Ids of sections of metrics, "quick" and "all"; "none" alone means no section. Error: an unknown section,
/// with the nearest known one.
Result<std::vector<std::string>> sectionsOf(std::vector<std::string> words);

}  // namespace wb
