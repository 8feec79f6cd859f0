// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace wb {

/// JSON whose objects keep their order.
using OrderedJson = nlohmann::ordered_json;

/// Why a text is no JSON, in the words of Python's json module.
struct JsonFault {
  /// "Expecting value"
  std::string message;
  /// The character, counted as Python counts them.
  std::size_t position = 0;
  /// The text is not UTF-8, or nested too deeply, which Python does not call an error of JSON.
  bool isUnreadable = false;
};

/// Reads a text as Python's json.loads does: NaN and Infinity are numbers, and of equal keys the last counts.
/// Whole numbers are exact from −2⁶³ to 2⁶⁴ − 1; beyond that they are the nearest number with a fraction.
[[nodiscard]] std::variant<OrderedJson, JsonFault> parseLikePython(std::string_view text);

/// Whether the bytes are UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

/// The whole number that stands in decimal digits after an optional sign; null where there is another letter,
/// or the number is not from −2⁶³ to 2⁶⁴ − 1.
[[nodiscard]] OrderedJson wholeNumber(std::string_view digits);

/// The same number, or the nearest one of 64 bits with a sign.
[[nodiscard]] std::int64_t signedNumber(const OrderedJson& whole);

/// The text that Python's json.dumps(…, separators=(",", ":"), ensure_ascii=False) makes of it.
[[nodiscard]] std::string compactText(const OrderedJson& value);

}  // namespace wb
