// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/other_numbers.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>

namespace wb {
namespace {

std::optional<Literal> otherThan(const c10::IValue& standard) {
  Literal number;
  if (standard.isDouble()) {
    number.kind = Literal::Kind::real;
    number.real = standard.toDouble() == 0 ? 0.5 : 2 * standard.toDouble();
    return number;
  }
  if (!standard.isInt()) return std::nullopt;
  number.kind = Literal::Kind::integer;
  number.integer = standard.toInt() == 0 ? 1 : 2 * standard.toInt();
  return number;
}

bool isGiven(const Literal& keywords, const std::string& name) {
  for (std::size_t i = 0; i + 1 < keywords.items.size(); i += 2)
    if (keywords.items[i].text == name) return true;
  return false;
}

}  // namespace

std::vector<OtherNumber> withOtherNumbers(const Literal& call, const c10::FunctionSchema& schema) {
  std::vector<OtherNumber> others;
  if (call.items.size() != 2 || call.items[1].kind != Literal::Kind::dict) return others;
  for (std::size_t i = call.items[0].items.size(); i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    // A whole number that must be one is a dimension or a count as a rule.
    const c10::TypeKind kind = argument.type()->kind();
    if (kind != c10::TypeKind::NumberType && kind != c10::TypeKind::FloatType) continue;
    if (!argument.default_value() || isGiven(call.items[1], argument.name())) continue;
    const std::optional<Literal> number = otherThan(*argument.default_value());
    if (!number) continue;
    Literal name;
    name.kind = Literal::Kind::string;
    name.text = argument.name();
    OtherNumber other{fmt::format("{} = {}", argument.name(),
                                  number->kind == Literal::Kind::real ? number->real
                                                                      : static_cast<double>(number->integer)),
                      call};
    other.call.items[1].items.push_back(std::move(name));
    other.call.items[1].items.push_back(*number);
    others.push_back(std::move(other));
  }
  return others;
}

}  // namespace wb
