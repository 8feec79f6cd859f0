// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/kernel_stub.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/engine/compile/text/brackets.h"

namespace wb {
namespace {

using Kind = Lexeme::Kind;

struct Range {
  std::size_t begin, end;
};

/// Splits a range at the commas of this depth.
std::vector<Range> atCommas(Lexemes lexemes, std::size_t begin, std::size_t end) {
  std::vector<Range> parts;
  auto start = begin;
  for (auto i = begin; i < end; ++i) {
    const auto& l = lexemes[i];
    if (l.is("(") || l.is("[") || l.is("{")) {
      i = closingBracket(lexemes, i);
    } else if (l.is("<") && i > begin && lexemes[i - 1].kind == Kind::word) {
      if (const auto close = closingAngle(lexemes, i); close < end) i = close;
    } else if (l.is(",")) {
      parts.push_back({start, i});
      start = i + 1;
    }
  }
  if (start < end) parts.push_back({start, end});
  return parts;
}

/// The declarator without the default.
Range declarator(Lexemes lexemes, Range range) {
  for (auto i = range.begin; i < range.end; ++i) {
    if (lexemes[i].is("(") || lexemes[i].is("[") || lexemes[i].is("{"))
      i = closingBracket(lexemes, i);
    else if (lexemes[i].is("="))
      return {range.begin, i};
  }
  return range;
}

bool isTypeWord(std::string_view word) {
  constexpr std::array words{"void",  "bool",         "char",       "short",  "int",   "long",
                             "float", "double",       "unsigned",   "signed", "const", "volatile",
                             "auto",  "__restrict__", "__restrict", "wchar_t"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has(Lexemes lexemes, Range range, std::string_view text) {
  return std::any_of(lexemes.begin() + static_cast<std::ptrdiff_t>(range.begin),
                     lexemes.begin() + static_cast<std::ptrdiff_t>(range.end),
                     [&](const Lexeme& l) { return l.is(text); });
}
bool isPack(Lexemes lexemes, Range range) {
  for (auto i = range.begin; i + 2 < range.end; ++i)
    if (lexemes[i].is(".") && lexemes[i + 1].is(".") && lexemes[i + 2].is(".")) return true;
  return false;
}

/// The name that a parameter's declarator ends with; "" for an unnamed one.
std::string nameOf(Lexemes lexemes, Range range) {
  if (range.end - range.begin < 2) return {};
  const auto& last = lexemes[range.end - 1];
  const auto& before = lexemes[range.end - 2];
  if (last.kind != Kind::word || isTypeWord(last.text) || before.is("::")) return {};
  const bool afterType = before.kind == Kind::word || before.is("*") || before.is("&") || before.is(">") ||
                         before.is(".") || before.is(")");
  const bool keywordOnly = range.end - range.begin == 2 && (before.is("const") || before.is("struct"));
  return afterType && !keywordOnly ? last.spelling() : std::string();
}

Error unfit(const std::string& what) {
  return Error{Stage::compile, what};
}

/// Expressions of C++ that give the template's arguments as text, and the arguments themselves.
struct TemplateArguments {
  std::vector<std::string> spelled, passed;
};
Result<TemplateArguments> templateArguments(Lexemes lexemes, const Item& function) {
  TemplateArguments arguments;
  if (!lexemes[function.first].is("template")) return arguments;
  const auto close = closingAngle(lexemes, function.first + 1);
  for (const auto& part : atCommas(lexemes, function.first + 2, close)) {
    const auto range = declarator(lexemes, part);
    if (has(lexemes, range, "template")) return unfit("a kernel has a template template parameter");
    const auto& first = lexemes[range.begin];
    const bool type = first.is("typename") || first.is("class");
    const bool pack = isPack(lexemes, range);
    const std::string name = nameOf(lexemes, range);
    if (name.empty()) {
      if (range.end == part.end) return unfit("a kernel has an unnamed template parameter");
      continue;  // it is `typename = std::enable_if_t<…>`
    }
    // `std::integral T` takes types too and looks like a value, so both overloads exist.
    const std::string_view spell = type ? "spellType" : "spellValue";
    arguments.spelled.push_back(type ? fmt::format("::warpbench_cuda::{}<{}{}>()",
                                                   pack ? "spellTypes" : spell, name, pack ? "..." : "")
                                     : fmt::format("::warpbench_cuda::{}<{}{}>()",
                                                   pack ? "spellValues" : spell, name, pack ? "..." : ""));
    arguments.passed.push_back(name + (pack ? "..." : ""));
  }
  return arguments;
}

std::string textOf(Lexemes lexemes, std::size_t begin, std::size_t end) {
  std::string text;
  for (auto i = begin; i < end; ++i) {
    if (!text.empty() && lexemes[i].kind == Kind::word && lexemes[i - 1].kind == Kind::word) text += ' ';
    text += lexemes[i].spelling();
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

Result<KernelStub> kernelStub(Lexemes lexemes, const Item& function, const std::string& scope) {
  WB_TRY(auto arguments, templateArguments(lexemes, function));
  KernelStub stub;
  std::vector<std::string> types, values;
  for (const auto& part : atCommas(lexemes, function.parametersOpen + 1, function.parametersClose)) {
    const auto range = declarator(lexemes, part);
    if (range.end - range.begin == 1 && lexemes[range.begin].is("void")) continue;
    if (lexemes[range.end - 1].is(")") || lexemes[range.end - 1].is("]"))
      return unfit("a kernel has a parameter that is an array or a pointer to a function");
    const bool pack = isPack(lexemes, range);
    std::string name = nameOf(lexemes, range);
    if (name.empty()) {
      name = fmt::format("warpbench_unnamed{}", values.size());
      stub.names.push_back({lexemes[range.end - 1].end(), " " + name});
    }
    types.push_back(fmt::format("::warpbench_cuda::Plain<decltype({})>{}", name, pack ? "..." : ""));
    values.push_back(name + (pack ? "..." : ""));
  }
  // The name of an explicit specialisation is its own text.
  const std::string name = textOf(lexemes, function.name, function.parametersOpen);
  if (name.find("<<<") != std::string::npos) return unfit("a kernel's name cannot be read");
  const std::string whole = scope + name;
  stub.kernel = whole;
  const std::string self =
      arguments.passed.empty() ? name : fmt::format("{}<{}>", name, fmt::join(arguments.passed, ", "));
  const std::string spelled = arguments.spelled.empty()
                                  ? quoted(whole)
                                  : fmt::format("::warpbench_cuda::spellName({}, {{{}}})", quoted(whole),
                                                fmt::join(arguments.spelled, ", "));
  stub.body = fmt::format(
      " struct warpbench_name {{ static ::std::string text() {{ return {}; }} }};"
      " ::warpbench_cuda::Kernel<static_cast<void (*)({})>(&{}), warpbench_name>::launch({}); ",
      spelled, fmt::join(types, ", "), self, fmt::join(values, ", "));
  return stub;
}

}  // namespace wb
