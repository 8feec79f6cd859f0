// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"

namespace wb {

/// A request that cannot be a job as it is.
[[nodiscard]] inline Error wrong(std::string text, std::string hint) {
  return {Stage::job, std::move(text), std::move(hint)};
}

/// What can be done where a request lacks something, as hints say it. Whoever took the request may say how:
/// the command line adds its options (app/cli/options/option_errors.h).
struct Remedy {
  static constexpr std::string_view sayLanguage = "say its language";
  static constexpr std::string_view nameOperators = "name operators";
  static constexpr std::string_view choosePython = "choose another Python";
  static constexpr std::string_view giveDataSet = "give the data set";
  static constexpr std::string_view readOlderLayouts = "read it as the backend pregenerated";
  static constexpr std::string_view judgeOurWay = "judge as Warpbench does";
  static constexpr std::string_view readDirectory = "run what was written as the backend directory";
};

}  // namespace wb
