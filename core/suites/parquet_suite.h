// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/suites/suites.h"

namespace wb {

/// The rows of BackendBench's data set (contract §2.3) that are in its benchmark, read by pyarrow. Errors: no
/// pyarrow, no parquet file, columns that are missing, no such rows; a row that does not parse, with its
/// number as the line.
Result<Suite> parquetSuite(const std::filesystem::path& file, const SuiteProgress& progress,
                           const std::string& python = {});

}  // namespace wb
