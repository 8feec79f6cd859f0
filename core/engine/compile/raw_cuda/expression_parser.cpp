// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/expression_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cctype>
#include <charconv>

#include "core/base/nearest.h"

namespace wb {
namespace {

constexpr int deepestNesting = 100;
constexpr std::size_t longestText = 10000;

constexpr std::array<ExpressionFunction, 13> knownFunctions{{
    {"min", NameUse::As::value, 2, 16},
    {"max", NameUse::As::value, 2, 16},
    {"ceil_div", NameUse::As::value, 2, 2},
    {"numel", NameUse::As::tensor, 1, 1},
    {"size", NameUse::As::tensor, 2, 2},
    {"stride", NameUse::As::tensor, 2, 2},
    {"inner", NameUse::As::tensor, 2, 2},
    {"outer", NameUse::As::tensor, 2, 2},
    {"dim", NameUse::As::tensor, 1, 1},
    {"itemsize", NameUse::As::tensor, 1, 1},
    {"len", NameUse::As::list, 1, 1},
    {"value_or", NameUse::As::value, 2, 2},
    {"is", NameUse::As::any, 2, 2},
}};

using Node = Expression::Node;
using Kind = Node::Kind;

bool startsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  Parser(std::string_view text, const Place& place) : text_(text), place_(place) {}

  Result<Node> parse() {
    if (text_.size() > longestText) return fail(0, "The expression is too long.");
    skipSpace();
    if (done()) return fail(0, "The expression is empty.");
    auto node = sum(0);
    if (node && !done()) return fail(at_, fmt::format("Unexpected '{}' in the expression.", text_[at_]));
    return node;
  }

 private:
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }
  void skipSpace() {
    while (!done() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    skipSpace();
    return true;
  }
  [[nodiscard]] Error fail(std::size_t offset, std::string what, std::string hint = {}) const {
    Place place = place_;
    if (place.column > 0) place.column += static_cast<int>(offset);
    return Error{Stage::compile, std::move(what), std::move(hint), place};
  }

  Result<Node> sum(int depth) {
    auto left = product(depth);
    while (left && (peek() == '+' || peek() == '-')) {
      const std::size_t offset = at_;
      const Kind kind = peek() == '+' ? Kind::add : Kind::subtract;
      take(peek());
      WB_TRY(auto right, product(depth));
      left = Node{kind, {}, {}, offset, {std::move(*left), std::move(right)}};
    }
    return left;
  }

  Result<Node> product(int depth) {
    auto left = factor(depth);
    while (left && (peek() == '*' || peek() == '/' || peek() == '%')) {
      const std::size_t offset = at_;
      const Kind kind = peek() == '*' ? Kind::multiply : peek() == '/' ? Kind::divide : Kind::remainder;
      take(peek());
      WB_TRY(auto right, factor(depth));
      left = Node{kind, {}, {}, offset, {std::move(*left), std::move(right)}};
    }
    return left;
  }

  Result<Node> factor(int depth) {
    if (depth > deepestNesting) return fail(at_, "The expression is nested too deeply.");
    const std::size_t offset = at_;
    if (take('+')) return factor(depth + 1);
    if (take('-')) {
      WB_TRY(auto inner, factor(depth + 1));
      return Node{Kind::negate, {}, {}, offset, {std::move(inner)}};
    }
    if (take('(')) {
      auto inner = sum(depth + 1);
      if (inner && !take(')')) return fail(at_, "A closing parenthesis is missing in the expression.");
      return inner;
    }
    if (digit(peek()) || peek() == '.') return number();
    if (startsName(peek())) return name(depth);
    if (done()) return fail(at_, "The expression ends too early.");
    return fail(at_, fmt::format("Unexpected '{}' in the expression.", peek()));
  }

  Result<Node> number() {
    const std::size_t offset = at_;
    std::size_t end = at_;
    bool real = false;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool exponent = (c == 'e' || c == 'E') && end > at_;
      const bool sign =
          (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E') && end > at_;
      if (!digit(c) && c != '.' && !exponent && !sign) break;
      real = real || c == '.' || exponent;
      ++end;
    }
    Node node{Kind::number, {}, {}, offset, {}};
    const char* first = text_.data() + at_;
    const char* last = text_.data() + end;
    std::from_chars_result read{};
    if (real) {
      double value = 0;
      read = std::from_chars(first, last, value);
      node.value = value;
    } else {
      std::int64_t value = 0;
      read = std::from_chars(first, last, value);
      node.value = value;
    }
    if (read.ec == std::errc::result_out_of_range)
      return fail(offset, "The number is too large for 64 bits.");
    if (read.ec != std::errc{} || read.ptr != last || (end < text_.size() && startsName(text_[end])))
      return fail(offset, fmt::format("'{}' is not a number.", text_.substr(at_, end - at_ + 1)));
    at_ = end;
    skipSpace();
    return node;
  }

  Result<Node> name(int depth) {
    const std::size_t offset = at_;
    while (!done() && (startsName(peek()) || digit(peek()))) ++at_;
    Node node{Kind::name, {}, std::string(text_.substr(offset, at_ - offset)), offset, {}};
    skipSpace();
    if (take('[')) {
      node.kind = Kind::element;
      WB_TRY(auto index, sum(depth + 1));
      if (!take(']')) return fail(at_, "A closing bracket is missing in the expression.");
      node.children.push_back(std::move(index));
      return node;
    }
    if (take('(')) return call(std::move(node), depth);
    if (node.name == "true" || node.name == "false")
      return Node{Kind::number, std::int64_t{node.name == "true"}, {}, offset, {}};
    return node;
  }

  Result<Node> call(Node node, int depth) {
    node.kind = Kind::call;
    const ExpressionFunction* function = findExpressionFunction(node.name);
    if (function == nullptr) {
      std::vector<std::string> names;
      for (const auto& each : knownFunctions) names.emplace_back(each.name);
      auto hint = didYouMean(node.name, names);
      if (hint.empty()) hint = fmt::format("there are {}", fmt::join(names, ", "));
      return fail(node.offset, fmt::format("There is no function {}.", node.name), std::move(hint));
    }
    if (!take(')')) {
      do {
        WB_TRY(auto argument, sum(depth + 1));
        node.children.push_back(std::move(argument));
      } while (take(','));
      if (!take(')')) return fail(at_, "A closing parenthesis is missing in the expression.");
    }
    const std::size_t count = node.children.size();
    if (count < function->fewest || count > function->most)
      return fail(node.offset, fmt::format("{} takes {} argument{}, not {}.", node.name,
                                           function->fewest == function->most
                                               ? fmt::to_string(function->fewest)
                                               : fmt::format("{} or more", function->fewest),
                                           function->most == 1 ? "" : "s", count));
    return checked(std::move(node), *function);
  }

  [[nodiscard]] Result<Node> checked(Node node, const ExpressionFunction& function) const {
    const Node& first = node.children[0];
    if (function.first != NameUse::As::value && first.kind != Kind::name) {
      const char* what = function.first == NameUse::As::tensor ? "tensor"
                         : function.first == NameUse::As::list ? "list"
                                                               : "argument";
      return fail(first.offset, fmt::format("{} takes the name of a{} {} first.", node.name,
                                            *what == 'a' ? "n" : "", what));
    }
    if (function.first == NameUse::As::any && node.children[1].kind != Kind::name)
      return fail(node.children[1].offset,
                  fmt::format("{} compares with a word, without quotes.", node.name));
    return node;
  }

  std::string_view text_;
  const Place& place_;
  std::size_t at_ = 0;
};

}  // namespace

std::span<const ExpressionFunction> expressionFunctions() {
  return knownFunctions;
}

const ExpressionFunction* findExpressionFunction(std::string_view name) {
  for (const auto& each : knownFunctions)
    if (each.name == name) return &each;
  return nullptr;
}

Result<Node> parseExpression(std::string_view text, const Place& place) {
  return Parser(text, place).parse();
}

}  // namespace wb
