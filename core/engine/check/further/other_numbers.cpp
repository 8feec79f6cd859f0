// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/other_numbers.h"

#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <utility>

namespace wb {
namespace {

Literal whole(std::int64_t value) {
  Literal number;
  number.kind = Literal::Kind::integer;
  number.integer = value == 0 ? 1 : 2 * value;
  return number;
}

Literal real(double value) {
  Literal number;
  number.kind = Literal::Kind::real;
  number.real = value == 0 ? 0.5 : 2 * value;
  return number;
}

std::optional<Literal> otherThan(const c10::IValue& standard) {
  if (standard.isDouble()) return real(standard.toDouble());
  if (standard.isInt()) return whole(standard.toInt());
  return std::nullopt;
}

std::optional<Literal> otherThan(const Literal& given) {
  if (given.kind == Literal::Kind::real) return real(given.real);
  if (given.kind == Literal::Kind::integer) return whole(given.integer);
  return std::nullopt;
}

/// Whether it is a number that need not be whole. A scale stands beside sizes that say the same, and many an
/// honest kernel takes those.
bool takesNumber(const c10::Argument& argument) {
  c10::TypePtr type = argument.type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return (type->kind() == c10::TypeKind::NumberType || type->kind() == c10::TypeKind::FloatType) &&
         !argument.name().starts_with("scale");
}

/// Where a keyword's value is among keywords; nothing where it is not given.
std::optional<std::size_t> placeOf(const Literal& keywords, const std::string& name) {
  for (std::size_t i = 0; i + 1 < keywords.items.size(); i += 2)
    if (keywords.items[i].text == name) return i + 1;
  return std::nullopt;
}

}  // namespace

std::vector<OtherNumber> withOtherNumbers(const Literal& call, const c10::FunctionSchema& schema) {
  std::vector<OtherNumber> others;
  if (call.items.size() != 2 || call.items[1].kind != Literal::Kind::dict) return others;
  const Literal& positional = call.items[0];
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const bool isNumber = takesNumber(argument);
    OtherNumber other{"", call};
    std::optional<Literal> value;
    const std::optional<std::size_t> place = placeOf(call.items[1], argument.name());
    if (i < positional.items.size() || place) {
      Literal& given = place ? other.call.items[1].items[*place] : other.call.items[0].items[i];
      if (isNumber) value = otherThan(given);
      if (value) given = *value;
    } else if (argument.default_value()) {
      if (isNumber) value = otherThan(*argument.default_value());
      Literal name;
      name.kind = Literal::Kind::string;
      name.text = argument.name();
      if (value) other.call.items[1].items.insert(other.call.items[1].items.end(), {name, *value});
    }
    if (!value) continue;
    other.words =
        fmt::format("{} = {}", argument.name(),
                    value->kind == Literal::Kind::real ? value->real : static_cast<double>(value->integer));
    others.push_back(std::move(other));
  }
  return others;
}

}  // namespace wb
