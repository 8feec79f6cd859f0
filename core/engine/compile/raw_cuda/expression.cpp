// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/engine/compile/raw_cuda/expression_parser.h"

namespace wb {
namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using Int = std::int64_t;

std::string_view kindOf(const Operand& operand) {
  constexpr std::array<std::string_view, 8> kinds{
      "None",     "a bool",  "an integer", "a real number", "a list of integers", "a list of real numbers",
      "a tensor", "a string"};
  return operand.index() < kinds.size() ? kinds[operand.index()] : std::get<UnusableOperand>(operand).what;
}

double real(const Number& value) {
  return std::holds_alternative<Int>(value) ? static_cast<double>(std::get<Int>(value))
                                            : std::get<double>(value);
}

class Evaluator {
 public:
  Evaluator(const Operands& operands, const Place& place) : operands_(operands), place_(place) {}

  [[nodiscard]] Result<Number> value(const Node& node) const {
    switch (node.kind) {
      case Kind::number:
        return node.value;
      case Kind::name:
        return named(node);
      case Kind::element:
        return element(node);
      case Kind::call:
        return call(node);
      case Kind::negate: {
        WB_TRY(auto inner, value(node.children[0]));
        return arithmetic(Kind::subtract, node.offset, Number{Int{0}}, inner);
      }
      default: {
        WB_TRY(auto left, value(node.children[0]));
        WB_TRY(auto right, value(node.children[1]));
        return arithmetic(node.kind, node.offset, left, right);
      }
    }
  }

 private:
  [[nodiscard]] Error fail(std::size_t offset, std::string what) const {
    Place place = place_;
    if (place.column > 0) place.column += static_cast<int>(offset);
    return Error{Stage::check, std::move(what), {}, place};
  }

  [[nodiscard]] Result<const Operand*> find(const Node& node) const {
    auto found = operands_.find(node.name);
    if (found == operands_.end()) return fail(node.offset, fmt::format("Unknown name {}.", node.name));
    return &found->second;
  }

  [[nodiscard]] Result<Number> named(const Node& node) const {
    WB_TRY(auto operand, find(node));
    if (const bool* flag = std::get_if<bool>(operand)) return Number{Int{*flag}};
    if (const Int* integer = std::get_if<Int>(operand)) return Number{*integer};
    if (const double* number = std::get_if<double>(operand)) return Number{*number};
    return fail(node.offset, fmt::format("{} is {}, not a number.", node.name, kindOf(*operand)));
  }

  [[nodiscard]] Result<Int> index(const Node& node, std::size_t count, const std::string& of) const {
    WB_TRY(auto number, value(node));
    const Int* position = std::get_if<Int>(&number);
    if (position == nullptr) return fail(node.offset, "An index must be an integer.");
    const Int size = static_cast<Int>(count);
    if (*position < -size || *position >= size)
      return fail(node.offset, fmt::format("Index {} is out of range: {} has {}.", *position, of, size));
    return *position < 0 ? *position + size : *position;
  }

  [[nodiscard]] Result<Number> element(const Node& node) const {
    WB_TRY(auto operand, find(node));
    if (const auto* integers = std::get_if<std::vector<Int>>(operand)) {
      WB_TRY(auto at, index(node.children[0], integers->size(), node.name));
      return Number{(*integers)[static_cast<std::size_t>(at)]};
    }
    if (const auto* numbers = std::get_if<std::vector<double>>(operand)) {
      WB_TRY(auto at, index(node.children[0], numbers->size(), node.name));
      return Number{(*numbers)[static_cast<std::size_t>(at)]};
    }
    return fail(node.offset, fmt::format("{} is {}, not a list.", node.name, kindOf(*operand)));
  }

  [[nodiscard]] Result<Number> arithmetic(Kind kind, std::size_t offset, Number left, Number right) const {
    if (std::holds_alternative<double>(left) || std::holds_alternative<double>(right)) {
      const double a = real(left), b = real(right);
      switch (kind) {
        case Kind::add:
          return Number{a + b};
        case Kind::subtract:
          return Number{a - b};
        case Kind::multiply:
          return Number{a * b};
        case Kind::remainder:
          return fail(offset, "% needs integers.");
        default:
          break;
      }
      if (b == 0) return fail(offset, "Division by zero.");
      return Number{a / b};
    }
    const Int a = std::get<Int>(left), b = std::get<Int>(right);
    Int result = 0;
    bool overflow = false;
    switch (kind) {
      case Kind::add:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
      case Kind::subtract:
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
      case Kind::multiply:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
      default:
        if (b == 0) return fail(offset, "Division by zero.");
        if (a == std::numeric_limits<Int>::min() && b == -1)
          overflow = true;
        else
          result = kind == Kind::divide ? a / b : a % b;
    }
    if (overflow) return fail(offset, "The result does not fit 64 bits.");
    return Number{result};
  }

  [[nodiscard]] Result<Number> call(const Node& node) const {
    const ExpressionFunction* function = findExpressionFunction(node.name);
    if (function->first == NameUse::As::tensor) return ofTensor(node);
    if (function->first == NameUse::As::list) return length(node);
    if (node.name == "is") return compare(node);
    if (node.name == "value_or") {
      const Node& first = node.children[0];
      auto found = first.kind == Kind::name ? operands_.find(first.name) : operands_.end();
      const bool none = found != operands_.end() && std::holds_alternative<std::monostate>(found->second);
      return value(node.children[none ? 1 : 0]);
    }
    auto result = value(node.children[0]);
    for (std::size_t i = 1; result && i < node.children.size(); ++i) {
      WB_TRY(auto next, value(node.children[i]));
      result =
          node.name == "ceil_div" ? ceilDiv(node, *result, next) : extreme(node.name == "min", *result, next);
    }
    return result;
  }

  [[nodiscard]] Result<Number> compare(const Node& node) const {
    WB_TRY(auto operand, find(node.children[0]));
    const std::string& word = node.children[1].name;
    if (const auto* text = std::get_if<TextOperand>(operand)) return Number{Int{text->text == word}};
    if (word == "None") return Number{Int{std::holds_alternative<std::monostate>(*operand)}};
    if (std::holds_alternative<std::monostate>(*operand)) return Number{Int{0}};
    return fail(node.children[0].offset,
                fmt::format("{} is {}, not a string.", node.children[0].name, kindOf(*operand)));
  }

  [[nodiscard]] static Result<Number> extreme(bool smaller, Number a, Number b) {
    if (std::holds_alternative<Int>(a) && std::holds_alternative<Int>(b)) {
      const Int x = std::get<Int>(a), y = std::get<Int>(b);
      return Number{smaller ? std::min(x, y) : std::max(x, y)};
    }
    return Number{smaller ? std::min(real(a), real(b)) : std::max(real(a), real(b))};
  }

  [[nodiscard]] Result<Number> ceilDiv(const Node& node, Number a, Number b) const {
    const Int* x = std::get_if<Int>(&a);
    const Int* y = std::get_if<Int>(&b);
    if (x == nullptr || y == nullptr) return fail(node.offset, "ceil_div needs integers.");
    if (*y == 0) return fail(node.offset, "Division by zero.");
    if (*x < 0 || *y < 0)
      return fail(node.offset, fmt::format("ceil_div({}, {}): counts cannot be negative.", *x, *y));
    return Number{*x / *y + (*x % *y != 0 ? 1 : 0)};
  }

  [[nodiscard]] Result<Number> length(const Node& node) const {
    WB_TRY(auto operand, find(node.children[0]));
    if (const auto* integers = std::get_if<std::vector<Int>>(operand))
      return Number{static_cast<Int>(integers->size())};
    if (const auto* numbers = std::get_if<std::vector<double>>(operand))
      return Number{static_cast<Int>(numbers->size())};
    return fail(node.children[0].offset,
                fmt::format("{} is {}, not a list.", node.children[0].name, kindOf(*operand)));
  }

  [[nodiscard]] Result<Number> product(const Node& node, const std::vector<Int>& sizes, std::size_t first,
                                       std::size_t last) const {
    Int count = 1;
    for (std::size_t i = first; i < last; ++i)
      if (__builtin_mul_overflow(count, sizes[i], &count))
        return fail(node.offset, "The result does not fit 64 bits.");
    return Number{count};
  }

  [[nodiscard]] Result<Number> ofTensor(const Node& node) const {
    WB_TRY(auto operand, find(node.children[0]));
    const auto* tensor = std::get_if<TensorFacts>(operand);
    if (tensor == nullptr)
      return fail(node.children[0].offset,
                  fmt::format("{} is {}, not a tensor.", node.children[0].name, kindOf(*operand)));
    if (node.name == "dim") return Number{static_cast<Int>(tensor->sizes.size())};
    if (node.name == "itemsize") return Number{tensor->itemBytes};
    if (node.name == "numel") return product(node, tensor->sizes, 0, tensor->sizes.size());
    WB_TRY(auto at, index(node.children[1], tensor->sizes.size(), node.children[0].name + "'s dimensions"));
    const auto dimension = static_cast<std::size_t>(at);
    if (node.name == "inner") return product(node, tensor->sizes, dimension + 1, tensor->sizes.size());
    if (node.name == "outer") return product(node, tensor->sizes, 0, dimension);
    const auto& from = node.name == "size" ? tensor->sizes : tensor->strides;
    return Number{from[dimension]};
  }

  const Operands& operands_;
  const Place& place_;
};

void collect(const Node& node, const Place& place, std::vector<NameUse>& uses) {
  auto use = [&](const Node& at, NameUse::As as, bool strides) {
    Place where = place;
    if (where.column > 0) where.column += static_cast<int>(at.offset);
    uses.push_back({at.name, where, as, strides});
  };
  if (node.kind == Kind::name) return use(node, NameUse::As::value, false);
  if (node.kind == Kind::element) use(node, NameUse::As::list, false);
  std::size_t first = 0;
  if (node.kind == Kind::call) {
    const ExpressionFunction* function = findExpressionFunction(node.name);
    if (function->first != NameUse::As::value) {
      use(node.children[0], function->first, node.name == "stride");
      first = function->first == NameUse::As::any ? 2 : 1;  // the word that `is` compares with is not a name
    }
  }
  for (std::size_t i = first; i < node.children.size(); ++i) collect(node.children[i], place, uses);
}

}  // namespace

Result<Expression> Expression::parse(std::string_view text, const Place& place) {
  WB_TRY(auto root, parseExpression(text, place));
  Expression expression;
  expression.text_ = text;
  expression.place_ = place;
  expression.root_ = std::move(root);
  return expression;
}

Expression Expression::number(Number value, const Place& place) {
  Expression expression;
  expression.text_ = std::holds_alternative<Int>(value) ? fmt::to_string(std::get<Int>(value))
                                                        : fmt::to_string(std::get<double>(value));
  expression.place_ = place;
  expression.root_ = Node{Kind::number, value, {}, 0, {}};
  return expression;
}

Result<Number> Expression::evaluate(const Operands& operands) const {
  return Evaluator(operands, place_).value(root_);
}

Result<std::int64_t> Expression::integer(const Operands& operands) const {
  WB_TRY(auto value, evaluate(operands));
  if (const Int* integer = std::get_if<Int>(&value)) return *integer;
  return Error{Stage::check,
               fmt::format("{} is {}: an integer is needed.", text_, std::get<double>(value)),
               {},
               place_};
}

std::vector<NameUse> Expression::names() const {
  std::vector<NameUse> uses;
  collect(root_, place_, uses);
  return uses;
}

std::string Expression::plainName() const {
  return root_.kind == Kind::name ? root_.name : std::string();
}

}  // namespace wb
