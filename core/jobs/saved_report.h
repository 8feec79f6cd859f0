// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/model/report.h"

namespace wb {

/// Reads a report that was saved as JSON. Errors of stage `report`, which name the file: it cannot be read,
/// it is not JSON, it is not a report, or the report has no kernel.
Result<std::shared_ptr<const Report>> readSavedReport(const std::filesystem::path& file);

}  // namespace wb
