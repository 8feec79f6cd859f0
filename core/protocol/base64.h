// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wb {

/// Bytes as text (RFC 4648, with padding), and back. Nothing for what is no such text.
[[nodiscard]] std::string base64Of(std::string_view bytes);
[[nodiscard]] std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace wb
