// SPDX-License-Identifier: Apache-2.0
#include "core/templates/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace wb {
namespace {

/// The parts between commas that are in no bracket and no string.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  char quote = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      all.push_back(trimmed(text.substr(start, i - start)));
      start = i + 1;
    }
  }
  if (const std::string_view last = trimmed(text.substr(start)); !last.empty()) all.push_back(last);
  return all;
}

/// Where the type ends: at the first blank outside of brackets, or at the end.
std::size_t endOfType(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] == ' ' && depth == 0) return i;
  }
  return text.size();
}

SchemaValue readValue(std::string_view text) {
  SchemaValue value;
  const std::size_t end = endOfType(text);
  std::string_view type = text.substr(0, end);
  std::string_view rest = end < text.size() ? trimmed(text.substr(end)) : std::string_view();
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    value.defaultValue = rest.substr(equals + 1);
    value.hasDefault = true;
    rest = rest.substr(0, equals);
  }
  value.name = rest;
  // From the end: marks of a list's alias, "?" of a list, the list itself, "?" of its elements; other alias
  // marks stand behind the type.
  if (type.ends_with(')') && type.find("](") != std::string_view::npos) {
    const std::size_t open = type.rfind('(');
    value.isWritten = type.substr(open).find('!') != std::string_view::npos;
    type = type.substr(0, open);
  }
  if (type.ends_with('?')) {
    value.isOptional = true;
    type.remove_suffix(1);
  }
  if (type.ends_with(']')) {
    value.isList = true;
    type = type.substr(0, type.rfind('['));
    if (type.ends_with('?')) {
      value.hasOptionalElements = true;
      type.remove_suffix(1);
    }
  }
  if (const std::size_t open = type.find('('); open != std::string_view::npos && open > 0) {
    value.isWritten = value.isWritten || type.substr(open).find('!') != std::string_view::npos;
    type = type.substr(0, open);
  }
  value.type = type;
  return value;
}

}  // namespace

Result<Schema> parseSchema(std::string_view text) {
  const auto bad = [&] {
    return Error{Stage::job, fmt::format("cannot read the schema '{}'", text),
                 "a schema looks like aten::relu(Tensor self) -> Tensor"};
  };
  Schema schema;
  const std::size_t colons = text.find("::"), open = text.find('(');
  if (colons == std::string_view::npos || open == std::string_view::npos || open < colons) return bad();
  int depth = 0;
  std::size_t close = open;
  for (; close < text.size(); ++close) {
    if (text[close] == '(') ++depth;
    if (text[close] == ')' && --depth == 0) break;
  }
  const std::size_t arrow = text.find("->", close);
  if (close >= text.size() || arrow == std::string_view::npos) return bad();
  schema.space = text.substr(0, colons);
  std::string_view name = text.substr(colons + 2, open - colons - 2);
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    schema.overload = name.substr(dot + 1);
    name = name.substr(0, dot);
  }
  schema.name = name;
  bool keywordOnly = false;
  for (const std::string_view part : parts(text.substr(open + 1, close - open - 1))) {
    if (part == "*") {
      keywordOnly = true;
      continue;
    }
    SchemaValue& value = schema.arguments.emplace_back(readValue(part));
    value.keywordOnly = keywordOnly;
    // static_runtime::clamp_nan_to_num has two arguments of one name.
    const auto sameName = [&](const SchemaValue& other) {
      return &other != &value && other.name == value.name;
    };
    if (std::any_of(schema.arguments.begin(), schema.arguments.end(), sameName)) value.name += "_2";
    if (value.type.empty() || value.name.empty()) return bad();
  }
  std::string_view results = trimmed(text.substr(arrow + 2));
  if (results.starts_with('(') && results.ends_with(')')) results = results.substr(1, results.size() - 2);
  for (const std::string_view part : parts(results)) schema.results.push_back(readValue(part));
  return schema;
}

}  // namespace wb
