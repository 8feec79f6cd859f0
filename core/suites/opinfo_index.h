// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/case.h"

namespace wb {

/// What resources/python/export_opinfo.py writes beside the values; the format is described there.
struct OpInfoIndex {
  std::string torch, device, dtype;  ///< "2.11.0+cu130", "cpu", "bfloat16"
  std::string valuesId;              ///< also at the head of the file with the values
  std::int64_t valuesBytes = 0;
  int groups = 0;  ///< (op_db entry, overload) pairs
  /// Their `values` are "stored:FILE#N" with FILE beside the index; for checking only, as in BackendBench.
  std::vector<Case> cases;
};

/// Errors with file and line: another version, truncated, a call that does not parse.
Result<OpInfoIndex> parseOpInfoIndex(std::string_view text, const std::filesystem::path& file);

/// Reads an index and makes sure that the values beside it are the ones it was written with.
Result<OpInfoIndex> readOpInfoIndex(const std::filesystem::path& file);

}  // namespace wb
