// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/suites/suites.h"

namespace wb {

/// The rows of BackendBench's data set that are in its benchmark, read by pyarrow. Errors: no pyarrow, no
/// parquet file, missing columns, no such rows, a row that cannot be parsed (the error's line is its number).
Result<Suite> parquetSuite(const std::filesystem::path& file, const SuiteProgress& progress,
                           const std::string& python = {});

}  // namespace wb
