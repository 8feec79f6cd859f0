// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/model/report.h"

namespace wb {

/// Reads a report that was saved as JSON. Errors of stage `report`, which name the file: unreadable, not
/// JSON, no report, a report without a kernel.
Result<std::shared_ptr<const Report>> readSavedReport(const std::filesystem::path& file);

}  // namespace wb
