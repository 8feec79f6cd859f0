// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/case.h"

namespace wb {

/// A suite that comes with Warpbench: a data file under resources/suites, found by looking, so adding one is
/// adding a file.
struct SuiteInfo {
  std::string name;         ///< file name without ".txt"
  std::string description;  ///< its first comment line
  std::filesystem::path file;
};

[[nodiscard]] std::vector<SuiteInfo> suites();

struct Suite {
  std::string name;
  std::vector<Case> cases;
};

/// By name, else as a file. Errors: neither (nearest names suggested), unreadable, malformed.
Result<Suite> loadSuite(const std::string& nameOrFile);

/// Only the cases of these operators (names in any spelling, globs). A filter that matches nothing is an
/// error that lists what is there. An empty filter keeps everything.
Result<Suite> filterOperators(Suite suite, std::span<const std::string> filters);

}  // namespace wb
