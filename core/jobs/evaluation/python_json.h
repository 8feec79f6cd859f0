// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
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
[[nodiscard]] std::variant<OrderedJson, JsonFault> parseLikePython(std::string_view text);

/// Whether the bytes are UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

/// The text that Python's json.dumps(…, separators=(",", ":"), ensure_ascii=False) makes of it.
[[nodiscard]] std::string compactText(const OrderedJson& value);

}  // namespace wb
