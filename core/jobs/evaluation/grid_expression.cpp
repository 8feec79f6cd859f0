// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/grid_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace wb {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 62;
/// Brackets in brackets; nobody writes as many, and each takes a part of the stack.
constexpr int mostDepth = 50;

using Number = Result<std::int64_t>;

Error wrong(std::string text) {
  return Error{Stage::job, std::move(text)};
}

std::int64_t floorOf(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

class Expression {
 public:
  Expression(std::string_view text, const std::map<std::string, std::int64_t>& names)
      : rest_(text), names_(names) {}

  Number whole() {
    WB_TRY(const std::int64_t value, sum());
    skip();
    if (rest_.empty()) return value;
    return wrong(fmt::format("\"{}\" does not belong there", rest_.substr(0, 20)));
  }

 private:
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  template <typename Is>
  std::string takeWhile(const Is& is) {
    skip();
    std::size_t length = 0;
    while (length < rest_.size() && is(static_cast<unsigned char>(rest_[length]))) ++length;
    std::string taken(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return taken;
  }

  static Number bounded(__int128 value) {
    if (value > largest || value < -largest) return wrong("it is larger than any grid");
    return static_cast<std::int64_t>(value);
  }

  static Number divided(char kind, std::int64_t a, std::int64_t b) {
    if (b == 0) return wrong("it divides by zero");
    if (kind == '%') return a - floorOf(a, b) * b;
    if (kind == '/' && a % b != 0)
      return wrong(fmt::format("{} / {} leaves a rest: write {} // {} or cdiv({}, {})", a, b, a, b, a, b));
    return floorOf(a, b);
  }

  Number sum() {
    WB_TRY(std::int64_t value, product());
    while (true) {
      const bool isPlus = take("+");
      if (!isPlus && !take("-")) return value;
      WB_TRY(const std::int64_t other, product());
      WB_TRY(value, bounded(isPlus ? __int128{value} + other : __int128{value} - other));
    }
  }

  Number product() {
    WB_TRY(std::int64_t value, factor());
    while (true) {
      const char kind = take("*") ? '*' : take("//") ? 'f' : take("/") ? '/' : take("%") ? '%' : ' ';
      if (kind == ' ') return value;
      WB_TRY(const std::int64_t other, factor());
      WB_TRY(value, kind == '*' ? bounded(__int128{value} * other) : divided(kind, value, other));
    }
  }

  Number factor() {
    if (++depth_ > mostDepth) return wrong("it has too many brackets");
    Number value = take("-") ? negated() : atom();
    --depth_;
    return value;
  }

  Number negated() {
    WB_TRY(const std::int64_t value, factor());
    return -value;
  }

  Number atom() {
    if (take("(")) {
      WB_TRY(const std::int64_t value, sum());
      if (!take(")")) return wrong("a bracket is not closed");
      return value;
    }
    const std::string digits = takeWhile([](unsigned char c) { return std::isdigit(c) != 0; });
    if (digits.size() > 18) return wrong("it is larger than any grid");
    if (!digits.empty()) return std::stoll(digits);
    return named();
  }

  Number named() {
    std::string name = takeWhile([](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (name.empty())
      return wrong(rest_.empty() ? "it ends too early"
                                 : fmt::format("\"{}\" is neither a number nor a name", rest_.substr(0, 20)));
    if (take("(")) return called(name);
    if (take(".numel")) name += ".numel";
    if (take(".shape[")) {
      name += ".shape[" + takeWhile([](unsigned char c) { return std::isdigit(c) != 0 || c == '-'; }) + "]";
      if (!take("]")) return wrong("a bracket is not closed");
    }
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [each, value] : names_) known.push_back(each);
    return wrong(known.empty() ? fmt::format("there is no argument '{}' that is a whole number", name)
                               : fmt::format("there is no '{}'; there is {}", name, fmt::join(known, ", ")));
  }

  Number called(const std::string& function) {
    WB_TRY(const std::int64_t a, sum());
    if (!take(",")) return wrong(function + "() needs two numbers");
    WB_TRY(const std::int64_t b, sum());
    if (!take(")")) return wrong("a bracket is not closed");
    if (function == "min") return std::min(a, b);
    if (function == "max") return std::max(a, b);
    if (function != "cdiv") return wrong(fmt::format("there is no {}(); there is cdiv, max, min", function));
    WB_TRY(const std::int64_t negative, divided('f', -a, b));
    return -negative;
  }

  std::string_view rest_;
  const std::map<std::string, std::int64_t>& names_;
  int depth_ = 0;
};

}  // namespace

Result<std::int64_t> gridNumber(std::string_view expression,
                                const std::map<std::string, std::int64_t>& names) {
  return Expression(expression, names).whole();
}

}  // namespace wb
