// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// What an expression may ask about a tensor. Sizes and strides are in elements.
struct TensorFacts {
  std::vector<std::int64_t> sizes, strides;
  std::int64_t itemBytes = 0;
};

/// A string argument, such as gelu's `approximate`, which `is` compares.
struct TextOperand {
  std::string text;
};
/// A kind of argument that expressions cannot use: "a list of tensors".
struct UnusableOperand {
  std::string what;
};

/// The value of a name; std::monostate is None.
using Operand = std::variant<std::monostate, bool, std::int64_t, double, std::vector<std::int64_t>,
                             std::vector<double>, TensorFacts, TextOperand, UnusableOperand>;
using Operands = std::map<std::string, Operand, std::less<>>;

using Number = std::variant<std::int64_t, double>;

/// A name as an expression uses it.
struct NameUse {
  enum class As { value, tensor, list, any };
  std::string name;
  Place place;
  As as = As::value;
  /// The expression asks for strides.
  bool strides = false;
};

/// An arithmetic expression of the header: integers (and real numbers, which make the result real), names of
/// scalar arguments, elements of list arguments `dim[0]`, + - * / % and parentheses, and these functions:
/// min, max, ceil_div, numel(x), size(x, i), stride(x, i), inner(x, i) and outer(x, i) (the number of
/// elements after and before dimension i), dim(x), itemsize(x), len(list), value_or(x, other), and is(x,
/// word), which is 1 where a string argument is that word (or the argument is None: is(weight, None)), else
/// 0. Integer division rounds toward zero; a negative `i` counts from the end. Nothing else is ever
/// evaluated.
class Expression {
 public:
  /// `place` is where the text begins; errors and uses point into it.
  static Result<Expression> parse(std::string_view text, const Place& place);
  static Expression number(Number value, const Place& place);

  /// Errors (stage `check`, with place): unknown names, wrong kinds, overflow, division by zero, an index out
  /// of range.
  [[nodiscard]] Result<Number> evaluate(const Operands& operands) const;
  /// The same for a count: a real number is an error.
  [[nodiscard]] Result<std::int64_t> integer(const Operands& operands) const;

  [[nodiscard]] std::vector<NameUse> names() const;
  /// The name, if the expression is a name alone; else "".
  [[nodiscard]] std::string plainName() const;
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Place& place() const { return place_; }

  struct Node {
    enum class Kind { number, name, element, negate, add, subtract, multiply, divide, remainder, call };
    Kind kind = Kind::number;
    Number value = std::int64_t{0};
    /// The name, or the name of an element's list or of a function.
    std::string name;
    /// Its place in the text.
    std::size_t offset = 0;
    std::vector<Node> children;
  };

 private:
  std::string text_;
  Place place_;
  Node root_;
};

}  // namespace wb
