// SPDX-License-Identifier: Apache-2.0
#include "core/model/operators/operator_name.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/base/text.h"

namespace wb {
namespace {

struct Parts {
  std::string_view space = "aten";
  std::string_view base;
  /// The overload; absent when it is not said; "default" is "".
  std::optional<std::string_view> overload;
};

void setOverload(Parts& parts, std::string_view overload) {
  parts.overload = overload == "default" ? std::string_view{} : overload;
}

/// Splits "base.overload", or BackendBench's folder "base__overload", at the last "__" with something on both
/// sides: in "add___Tensor" and "__lshift____Scalar" the underscores before it belong to the name.
void splitOverload(Parts& parts, std::string_view rest, bool folders) {
  parts.base = rest;
  if (const auto dot = rest.find('.'); dot != std::string_view::npos) {
    parts.base = rest.substr(0, dot);
    setOverload(parts, rest.substr(dot + 1));
  } else if (const auto bars = rest.rfind("__");
             folders && bars != std::string_view::npos && bars > 0 && bars + 2 < rest.size()) {
    parts.base = rest.substr(0, bars);
    setOverload(parts, rest.substr(bars + 2));
  }
}

Parts split(std::string_view spelling) {
  Parts parts;
  spelling = trimmed(spelling);
  for (std::string_view prefix : {"torch.ops.", "torch::ops::"}) {
    if (spelling.starts_with(prefix)) spelling.remove_prefix(prefix.size());
  }
  if (const auto colons = spelling.find("::"); colons != std::string_view::npos) {
    parts.space = spelling.substr(0, colons);
    splitOverload(parts, spelling.substr(colons + 2), false);
    return parts;
  }
  const auto dot = spelling.find('.');
  const bool namespaced =
      dot != std::string_view::npos &&
      (spelling.starts_with("aten.") || spelling.find('.', dot + 1) != std::string_view::npos);
  if (namespaced) {
    parts.space = spelling.substr(0, dot);
    spelling.remove_prefix(dot + 1);
  }
  splitOverload(parts, spelling, true);
  return parts;
}

std::string join(const Parts& parts) {
  const std::string_view overload = parts.overload.value_or("");
  return fmt::format("{}::{}{}{}", parts.space, parts.base, overload.empty() ? "" : ".", overload);
}

/// Matches * and ?. It is linear in practice, since on a mismatch only the last star is widened.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, resume = 0;
  std::optional<std::size_t> star;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star) {
      p = *star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::string schemaName(std::string_view spelling) {
  return join(split(spelling));
}

std::string shortName(std::string_view schemaName) {
  if (schemaName.empty()) return {};
  const Parts parts = split(schemaName);
  const std::string_view overload = parts.overload.value_or("");
  return fmt::format("{}{}{}.{}", parts.space == "aten" ? "" : parts.space, parts.space == "aten" ? "" : ".",
                     parts.base, overload.empty() ? "default" : overload);
}

std::string baseName(std::string_view schemaName) {
  return std::string(split(schemaName).base);
}

bool matches(std::string_view filter, std::string_view schemaName) {
  filter = trimmed(filter);
  if (filter.empty()) return false;
  const Parts name = split(schemaName);
  if (filter.find_first_of("*?") != std::string_view::npos) {
    const std::string shortForm = shortName(schemaName);
    return glob(filter, schemaName) || glob(filter, shortForm) || glob(filter, name.base) ||
           glob(filter, fmt::format("{}.{}", name.space, shortForm));
  }
  const Parts wanted = split(filter);
  return wanted.space == name.space && wanted.base == name.base &&
         (!wanted.overload || *wanted.overload == name.overload.value_or(""));
}

}  // namespace wb
