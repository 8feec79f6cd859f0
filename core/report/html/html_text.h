// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace wb {

/// Text as HTML content or as a quoted attribute's value: & < > " ' escaped, invalid UTF-8 replaced, control
/// characters that HTML forbids dropped.
[[nodiscard]] std::string escapeHtml(std::string_view text);

/// JSON text that may stand in a <script> element: no "<" in it, so neither </script> nor <!-- can end it.
[[nodiscard]] std::string scriptSafe(std::string_view json);

/// `page` with every {{name}} replaced once by `value(name)`; what is put in is not read again.
[[nodiscard]] std::string fillTemplate(std::string_view page,
                                       const std::function<std::string(std::string_view)>& value);

}  // namespace wb
