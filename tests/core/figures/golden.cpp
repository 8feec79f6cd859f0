// SPDX-License-Identifier: Apache-2.0
#include "tests/core/figures/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace wb {

void expectGolden(std::string_view name, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(WB_SOURCE_DIR) / "tests" / "golden" / name;
  const char* wish = std::getenv("WARPBENCH_GOLDEN");
  if (wish != nullptr && std::string_view(wish) == "update") {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in.good()) << path << " is missing; make it with WARPBENCH_GOLDEN=update";
  const std::string expected{std::istreambuf_iterator<char>(in), {}};
  if (expected == actual) return;
  std::istringstream wanted(expected), got(actual);
  std::string wantedLine, gotLine;
  for (int line = 1;; ++line) {
    const bool moreWanted = static_cast<bool>(std::getline(wanted, wantedLine));
    const bool moreGot = static_cast<bool>(std::getline(got, gotLine));
    if (!moreWanted && !moreGot) break;
    if (moreWanted && moreGot && wantedLine == gotLine) continue;
    ADD_FAILURE() << name << ":" << line << "\n expected: " << (moreWanted ? wantedLine : "end of file")
                  << "\n      got: " << (moreGot ? gotLine : "end of file")
                  << "\n(WARPBENCH_GOLDEN=update writes it anew)";
    return;
  }
  ADD_FAILURE() << name << " differs in its line ends";
}

}  // namespace wb
