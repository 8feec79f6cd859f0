// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/option_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <system_error>

namespace wb {

std::string notWhole(const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && !text.empty() && value >= low && value <= high) return {};
  if (high < std::numeric_limits<std::int32_t>::max())
    return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
  return error == std::errc::result_out_of_range || value > high
             ? fmt::format("'{}' is too large, {} at most", text, high)
             : fmt::format("'{}' is not a whole number of at least {}", text, low);
}

}  // namespace wb
