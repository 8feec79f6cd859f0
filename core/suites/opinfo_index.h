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
  /// "2.11.0+cu130", "cpu", "bfloat16"
  std::string torch, device, dtype;
  /// The same text stands at the beginning of the file with the values.
  std::string valuesId;
  std::int64_t valuesBytes = 0;
  /// How many pairs of an op_db entry and an overload there are.
  int groups = 0;
  /// The cases; their `values` are "stored:FILE#N" with FILE beside the index. They are for checking only, as
  /// in BackendBench.
  std::vector<Case> cases;
};

/// Errors name file and line: the index is of another version, it is truncated, or a call cannot be parsed.
Result<OpInfoIndex> parseOpInfoIndex(std::string_view text, const std::filesystem::path& file);

/// Reads an index and makes sure that it was written together with the values beside it.
Result<OpInfoIndex> readOpInfoIndex(const std::filesystem::path& file);

}  // namespace wb
