// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "app/cli/options/option_checks.h"

namespace wb {

/// Checks that a value is a whole number, with a message that a person can read; CLI11's own checks speak of
/// doubles.
[[nodiscard]] inline CLI::Validator wholeNumber(std::uint64_t low, std::uint64_t high) {
  return {[low, high](std::string& text) { return notWhole(text, low, high); }, "", "whole number"};
}

/// Checks a number that is kept in an int.
[[nodiscard]] inline CLI::Validator count(std::uint64_t low) {
  return wholeNumber(low, std::numeric_limits<int>::max());
}

}  // namespace wb
