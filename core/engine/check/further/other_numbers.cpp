// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/other_numbers.h"

#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/engine/reference/seed.h"

namespace wb {
namespace {

Literal real(double value) {
  Literal number;
  number.kind = Literal::Kind::real;
  number.real = value;
  return number;
}

/// Whether a zero is to stay.
bool stays(double value, double times) {
  return value == 0 && times < 1;
}

/// A number that is given as a whole one stays such where it can.
std::optional<Literal> timesAsMuch(std::int64_t value, double times) {
  const double product = static_cast<double>(value) * times;
  if (stays(product, times)) return std::nullopt;
  if (product != std::floor(product)) return real(product);
  Literal number;
  number.kind = Literal::Kind::integer;
  number.integer = value == 0 ? 1 : static_cast<std::int64_t>(product);
  return number;
}

std::optional<Literal> timesAsMuch(double value, double times) {
  if (stays(value, times)) return std::nullopt;
  return real(timesNumber(value, times));
}

/// The words that torch's operators know by the names of their arguments. Who does not know one refuses it.
constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 2>>, 5> knownWords{{
    {"approximate", {"tanh", "none"}},
    {"rounding_mode", {"trunc", "floor"}},
    {"side", {"right", "left"}},
    {"reduce", {"amax", "amin"}},
    {"mode", {"reflect", "replicate"}},
}};

/// A word other than the one given, "" where there was none.
std::optional<Literal> otherWord(std::string_view argument, std::string_view given) {
  for (const auto& [name, words] : knownWords) {
    if (name != argument) continue;
    Literal word;
    word.kind = Literal::Kind::string;
    word.text = words[given == words[0] ? 1 : 0];
    return word;
  }
  return std::nullopt;
}

std::optional<Literal> otherThan(const c10::IValue& standard, double times) {
  if (standard.isDouble()) return timesAsMuch(standard.toDouble(), times);
  if (standard.isInt()) return timesAsMuch(standard.toInt(), times);
  return std::nullopt;
}

std::optional<Literal> otherThan(const Literal& given, double times) {
  if (given.kind == Literal::Kind::real) return timesAsMuch(given.real, times);
  if (given.kind == Literal::Kind::integer) return timesAsMuch(given.integer, times);
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

bool takesWord(const c10::Argument& argument) {
  c10::TypePtr type = argument.type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return type->kind() == c10::TypeKind::StringType;
}

/// "2", "'tanh'"
std::string wordsOf(const Literal& value) {
  if (value.kind == Literal::Kind::string) return fmt::format("'{}'", value.text);
  return fmt::format("{}",
                     value.kind == Literal::Kind::real ? value.real : static_cast<double>(value.integer));
}

bool mayLeaveOutTensor(const c10::Argument& argument) {
  const auto optional = argument.type()->cast<c10::OptionalType>();
  return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
}

bool isTensor(const Literal& value) {
  return value.kind == Literal::Kind::call && value.text == "T" && value.items.size() >= 2;
}

/// A tensor literal with the type of another one.
Literal tensorLike(const Literal& other, const std::vector<Literal>& shape) {
  Literal tensor = other;
  tensor.items.resize(2);  // strides are the other one's
  tensor.keywords.clear();
  tensor.items[0].items = shape;
  return tensor;
}

/// What a tensor that goes with others may look like.
std::vector<Literal> tensorsBeside(const std::vector<Literal>& given) {
  constexpr std::size_t mostLooked = 2;
  std::vector<Literal> beside;
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < std::min(given.size(), mostLooked); ++i)
    for (const Literal& size : given[i].items[0].items) {
      if (std::find(sizes.begin(), sizes.end(), size.integer) != sizes.end()) continue;
      sizes.push_back(size.integer);
      beside.push_back(tensorLike(given.front(), {size}));
    }
  if (!given.empty()) beside.push_back(tensorLike(given.front(), given.front().items[0].items));
  return beside;
}

/// Where a keyword's value is among keywords; nothing where it is not given.
std::optional<std::size_t> placeOf(const Literal& keywords, const std::string& name) {
  for (std::size_t i = 0; i + 1 < keywords.items.size(); i += 2)
    if (keywords.items[i].text == name) return i + 1;
  return std::nullopt;
}

}  // namespace

double secretTimes(std::uint64_t seed) {
  constexpr double least = 1.25, step = 0.125, whole = 2;
  constexpr std::uint64_t steps = 12;
  const double times = least + step * static_cast<double>(mixSeeds(seed, 0) % steps);
  return times < whole ? times : times + step;
}

double timesNumber(double given, double times) {
  constexpr double zeroBecomes = 0.25;
  return times * (given == 0 ? zeroBecomes : given);
}

std::vector<OtherNumber> withOtherNumbers(const Literal& call, const c10::FunctionSchema& schema,
                                          double times) {
  std::vector<OtherNumber> others;
  if (call.items.size() != 2 || call.items[1].kind != Literal::Kind::dict) return others;
  const Literal& positional = call.items[0];
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const bool isNumber = takesNumber(argument), isWord = takesWord(argument);
    OtherNumber other{"", call, isWord};
    std::optional<Literal> value;
    const std::optional<std::size_t> place = placeOf(call.items[1], argument.name());
    if (i < positional.items.size() || place) {
      Literal& given = place ? other.call.items[1].items[*place] : other.call.items[0].items[i];
      if (isNumber) value = otherThan(given, times);
      if (isWord) value = otherWord(argument.name(), given.text);
      if (value) given = *value;
    } else if (argument.default_value()) {
      if (isNumber) value = otherThan(*argument.default_value(), times);
      const c10::IValue& standard = *argument.default_value();
      if (isWord)
        value = otherWord(argument.name(), standard.isString() ? standard.toStringRef() : std::string());
      Literal name;
      name.kind = Literal::Kind::string;
      name.text = argument.name();
      if (value) other.call.items[1].items.insert(other.call.items[1].items.end(), {name, *value});
    }
    if (!value) continue;
    other.words = fmt::format("{} = {}", argument.name(), wordsOf(*value));
    others.push_back(std::move(other));
  }
  return others;
}

std::vector<std::vector<OtherNumber>> withLeftOutTensors(const Literal& call,
                                                         const c10::FunctionSchema& schema) {
  std::vector<std::vector<OtherNumber>> all;
  if (call.items.size() != 2 || call.items[1].kind != Literal::Kind::dict) return all;
  const Literal& positional = call.items[0];
  std::vector<Literal> given;
  std::copy_if(positional.items.begin(), positional.items.end(), std::back_inserter(given), isTensor);
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const std::optional<std::size_t> place = placeOf(call.items[1], argument.name());
    const bool isPositional = i < positional.items.size();
    if (!mayLeaveOutTensor(argument) || (isPositional && positional.items[i].kind != Literal::Kind::none) ||
        (place && call.items[1].items[*place].kind != Literal::Kind::none))
      continue;
    std::vector<OtherNumber>& ways = all.emplace_back();
    for (const Literal& tensor : tensorsBeside(given)) {
      OtherNumber other{argument.name(), call};
      Literal name;
      name.kind = Literal::Kind::string;
      name.text = argument.name();
      std::vector<Literal>& keywords = other.call.items[1].items;
      if (isPositional)
        other.call.items[0].items[i] = tensor;
      else if (place)
        keywords[*place] = tensor;
      else
        keywords.insert(keywords.end(), {name, tensor});
      ways.push_back(std::move(other));
    }
  }
  return all;
}

std::vector<OtherNumber> withoutGivenTensors(const Literal& call, const c10::FunctionSchema& schema) {
  std::vector<OtherNumber> all;
  if (call.items.size() != 2 || call.items[1].kind != Literal::Kind::dict) return all;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (!mayLeaveOutTensor(argument)) continue;
    OtherNumber other{argument.name(), call};
    const std::optional<std::size_t> place = placeOf(call.items[1], argument.name());
    Literal* const given = i < call.items[0].items.size() ? &other.call.items[0].items[i]
                           : place                        ? &other.call.items[1].items[*place]
                                                          : nullptr;
    if (given == nullptr || !isTensor(*given)) continue;
    *given = Literal{};
    given->kind = Literal::Kind::none;
    all.push_back(std::move(other));
  }
  return all;
}

}  // namespace wb
