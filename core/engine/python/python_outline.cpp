// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/python_outline.h"

#include <algorithm>
#include <cctype>

#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

std::string_view identifier(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(0, end);
}

std::string_view afterWord(std::string_view line, std::string_view word) {
  if (!line.starts_with(word) || line.size() == word.size() || line[word.size()] != ' ') return {};
  line.remove_prefix(word.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return identifier(line);
}

/// Keeps track of a triple-quoted string that a line leaves open; the lines in it are not code.
void followQuotes(std::string_view line, std::string_view& open) {
  for (std::size_t i = 0; i < line.size();) {
    const std::string_view rest = line.substr(i);
    if (!open.empty()) {
      if (rest.starts_with(open)) {
        open = {};
        i += 3;
      } else {
        i += rest[0] == '\\' ? 2 : 1;
      }
      continue;
    }
    if (rest[0] == '#') return;
    if (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {
      open = rest.substr(0, 3);
      i += 3;
    } else if (rest[0] == '"' || rest[0] == '\'') {
      const char quote = rest[0];
      for (++i; i < line.size() && line[i] != quote; ++i)
        if (line[i] == '\\') ++i;
      ++i;
    } else {
      ++i;
    }
  }
}

}  // namespace

PythonOutline outlineOf(std::string_view source) {
  PythonOutline outline;
  std::string_view open;
  bool decoratedByTriton = false;
  for (std::string_view rest = source; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (open.empty()) {
      if (line.starts_with("@") && line.find("triton.jit") != std::string_view::npos)
        decoratedByTriton = true;
      const std::string_view function = afterWord(line, "def");
      const std::string_view type = afterWord(line, "class");
      if (!function.empty()) {
        if (!decoratedByTriton) outline.functions.emplace_back(function);
        decoratedByTriton = false;
      } else if (!type.empty()) {
        outline.classes.emplace_back(type);
        decoratedByTriton = false;
      }
    }
    followQuotes(line, open);
  }
  return outline;
}

std::vector<std::string> possiblePythonKernels(const PythonOutline& outline) {
  std::vector<std::string> names;
  for (const std::string& name : outline.functions)
    if (name.ends_with("_kernel_impl")) names.push_back(name);
  for (auto name = outline.functions.rbegin(); name != outline.functions.rend(); ++name)
    if (!name->ends_with("_kernel_impl")) names.push_back(*name);
  return names;
}

std::vector<std::string> pythonKernelNames(std::string_view schemaName) {
  std::string folder = shortName(schemaName);
  for (std::size_t dot = folder.find('.'); dot != std::string::npos; dot = folder.find('.', dot + 2))
    folder.replace(dot, 1, "__");
  const std::string base = baseName(schemaName);
  std::vector<std::string> names{folder + "_kernel_impl", base + "_kernel_impl", folder, base};
  // In-place "add_" and BackendBench's "abs__default" both differ from "abs", so all names stay, each once.
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace wb
