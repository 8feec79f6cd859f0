// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// What an expression of whole numbers comes to, such as "(n + 255) // 256", "cdiv(a.shape[0], BLOCK)" or
/// "a.numel / 4". It has + - * // % and brackets with their meaning in Python, / where it leaves no rest,
/// min(), max() and cdiv() of two, and `names`: "n", "a.shape[0]", "a.numel". Errors: what does not belong
/// there, names that are not known, rests, division by zero, and numbers beyond 2^62.
[[nodiscard]] Result<std::int64_t> gridNumber(std::string_view expression,
                                              const std::map<std::string, std::int64_t>& names);

}  // namespace wb
