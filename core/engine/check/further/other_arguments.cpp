// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/other_arguments.h"

#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace wb {
namespace {

using Kind = Literal::Kind;

/// How far from what is given others are tried.
constexpr std::int64_t steps[] = {1, -1};

enum class Takes { other, whole, wholes, tensors, truth };

/// What another truth is no question of: whether results may be in any order, or promises of inputs.
constexpr std::array<std::string_view, 4> noQuestion{"sorted", "assume_unique", "hermitian", "sparse"};

bool isWhole(const c10::TypePtr& type) {
  return type->kind() == c10::TypeKind::IntType || type->kind() == c10::TypeKind::SymIntType;
}

bool isOfDimensions(const c10::Argument& argument) {
  return argument.name().find("dim") != std::string::npos;
}

bool isOfOneCase(const c10::Argument& argument, Takes takes) {
  return takes == Takes::truth || isOfDimensions(argument);
}

/// By the type that is written in the schema: types of numbers and layouts are whole numbers to a dispatcher.
Takes takenBy(const c10::Argument& argument) {
  c10::TypePtr type = argument.real_type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  if (isWhole(type)) return Takes::whole;
  if (type->kind() == c10::TypeKind::BoolType)
    return std::ranges::find(noQuestion, argument.name()) == noQuestion.end() ? Takes::truth : Takes::other;
  const auto list = type->cast<c10::ListType>();
  if (!list) return Takes::other;
  if (isWhole(list->getElementType())) return Takes::wholes;
  const bool isTensor = list->getElementType()->kind() == c10::TypeKind::TensorType;
  return isTensor ? Takes::tensors : Takes::other;
}

Literal whole(std::int64_t value) {
  Literal number;
  number.kind = Kind::integer;
  number.integer = value;
  return number;
}

Literal truth(bool value) {
  Literal one;
  one.kind = Kind::boolean;
  one.boolean = value;
  return one;
}

Literal listOf(std::vector<Literal> items) {
  Literal list;
  list.kind = Kind::list;
  list.items = std::move(items);
  return list;
}

std::optional<Literal> literalOf(const c10::IValue& standard) {
  if (standard.isInt()) return whole(standard.toInt());
  if (standard.isBool()) return truth(standard.toBool());
  if (!standard.isIntList()) return std::nullopt;
  std::vector<Literal> items;
  for (const std::int64_t each : standard.toIntVector()) items.push_back(whole(each));
  return listOf(std::move(items));
}

bool isList(const Literal& value) {
  return value.kind == Kind::list || value.kind == Kind::tuple;
}

/// Others near one that is given; none where it is not what the schema says.
std::vector<Literal> othersThan(const Literal& given, Takes takes) {
  std::vector<Literal> others;
  if (takes == Takes::truth) {
    if (given.kind == Kind::boolean) others.push_back(truth(!given.boolean));
    return others;
  }
  if (takes == Takes::tensors) {
    if (!isList(given) || given.items.empty()) return others;
    others.push_back(given);
    others.back().items.push_back(given.items.back());
    return others;
  }
  if (!isList(given) && given.kind != Kind::integer) return others;
  if (isList(given) && std::any_of(given.items.begin(), given.items.end(),
                                   [](const Literal& each) { return each.kind != Kind::integer; }))
    return others;
  for (const std::int64_t step : steps) {
    Literal other = given;
    if (isList(given))
      for (Literal& each : other.items) each.integer += step;
    else
      other.integer += step;
    others.push_back(std::move(other));
  }
  if (isList(given) && given.items.empty()) others.clear();
  return others;
}

/// "2", "[1, 1]"; of tensors "3 tensors", since which ones they are says nothing.
std::string wordsOf(const Literal& value, Takes takes) {
  if (takes == Takes::tensors) return fmt::format("{} tensors", value.items.size());
  if (takes == Takes::truth) return value.boolean ? "True" : "False";
  if (!isList(value)) return fmt::format("{}", value.integer);
  std::vector<std::string> items;
  for (const Literal& each : value.items) items.push_back(fmt::format("{}", each.integer));
  return fmt::format("[{}]", joined(items, ", "));
}

Literal* given(Literal& call, std::size_t place, const std::string& name) {
  if (place < call.items[0].items.size()) return &call.items[0].items[place];
  std::vector<Literal>& keywords = call.items[1].items;
  for (std::size_t i = 0; i + 1 < keywords.size(); i += 2)
    if (keywords[i].text == name) return &keywords[i + 1];
  return nullptr;
}

bool givesScale(Literal call, const c10::FunctionSchema& schema) {
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const std::string& name = schema.arguments()[i].name();
    const Literal* const value = name.starts_with("scale") ? given(call, i, name) : nullptr;
    if (value != nullptr && value->kind != Kind::none) return true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<OtherNumber>> withOtherArguments(const Literal& call,
                                                         const c10::FunctionSchema& schema, Which which) {
  std::vector<std::vector<OtherNumber>> all;
  if (call.items.size() != 2 || call.items[1].kind != Kind::dict) return all;
  const bool hasScale = givesScale(call, schema);
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const Takes takes = takenBy(argument);
    if (isOfOneCase(argument, takes) != (which == Which::ofOneCase)) continue;
    if (takes == Takes::other || (takes == Takes::wholes && hasScale)) continue;
    Literal own = call;
    const Literal* const there = given(own, i, argument.name());
    std::optional<Literal> value;
    if (there != nullptr)
      value = *there;
    else if (argument.default_value())
      value = literalOf(*argument.default_value());
    if (!value) continue;
    std::vector<OtherNumber> ways;
    for (const Literal& each : othersThan(*value, takes)) {
      OtherNumber other{fmt::format("{} = {}", argument.name(), wordsOf(each, takes)), call};
      Literal name;
      name.kind = Kind::string;
      name.text = argument.name();
      if (Literal* const place = given(other.call, i, argument.name()))
        *place = each;
      else
        other.call.items[1].items.insert(other.call.items[1].items.end(), {name, each});
      ways.push_back(std::move(other));
    }
    if (!ways.empty()) all.push_back(std::move(ways));
  }
  return all;
}

}  // namespace wb
