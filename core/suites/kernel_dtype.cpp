// SPDX-License-Identifier: Apache-2.0
#include "core/suites/kernel_dtype.h"

#include <algorithm>
#include <regex>

namespace wb {
namespace {

/// Without // and # comments and those between /* and */. A preprocessor line goes too; it names no type.
std::string withoutComments(std::string_view text) {
  std::string code;
  code.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//") || rest.front() == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
      code += ' ';
    } else {
      code += text[i++];
    }
  }
  return code;
}

bool names(const std::string& code, const char* pattern) {
  return std::regex_search(code, std::regex(pattern, std::regex::optimize));
}

}  // namespace

std::string namedDtype(std::string_view text) {
  const std::string code = withoutComments(text);
  if (names(code, R"(\b(k?B[Ff]loat16|bfloat16|bf16|(__)?nv_bfloat16(2|_raw)?|scalar_t)\b)")) {
    // This dispatch knows float and double alone.
    return names(code, R"(\bAT_DISPATCH_(FLOATING|ALL)_TYPES\s*\()") &&
                   !names(code, R"(\bk?BFloat16\b|bfloat16)")
               ? "float32"
               : "";
  }
  if (names(code, R"(\bAT_DISPATCH_(FLOATING|ALL)_TYPES\s*\()")) return "float32";
  if (names(code, R"(\bAT_DISPATCH_)")) return "";
  if (names(code,
            R"(\b(__)?half2?\s*(const\s*)?\*|\bk(Half|Float16)\b|\bat::Half\b|\btorch\.(float16|half)\b)"))
    return "float16";
  if (names(code,
            R"(\bfloat[24]?\s*(const\s*)?\*|<\s*(const\s+)?float\b|\bkFloat(32)?\b|\btorch\.float(32)?\b)"))
    return "float32";
  if (names(
          code,
          R"(\bdouble[24]?\s*(const\s*)?\*|<\s*(const\s+)?double\b|\bk(Double|Float64)\b|\btorch\.(float64|double)\b)"))
    return "float64";
  return "";
}

std::string suiteDtype(const std::string& chosen, std::span<const std::string> texts) {
  if (chosen != automaticDtype) return chosen;
  std::string all;
  for (const std::string& text : texts) {
    const std::string one = namedDtype(text);
    if (one.empty() || (!all.empty() && all != one)) return "bfloat16";
    all = one;
  }
  return all.empty() ? "bfloat16" : all;
}

}  // namespace wb
