// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/operators/literal.h"

namespace wb {

/// A call that gives another number or word than the case, and which one: "alpha = 2".
struct OtherNumber {
  std::string words;
  Literal call;
  bool isWord = false;
};

/// Twice as much, which goes with whole numbers, too; and what nobody knows beforehand, between 1.25 and 2.75
/// and not whole.
constexpr double twiceAsMuch = 2;
[[nodiscard]] double secretTimes(std::uint64_t seed);
/// `times` as much as a number, or a quarter of that where it is zero.
[[nodiscard]] double timesNumber(double given, double times);

/// For each number of the schema, given or left to its default: the call with another one, `times` as much or
/// a quarter of that where it is zero; with `times` below one a zero stays, as attention without dropout
/// stays that. Whole numbers that must be such are other arguments (other_arguments.h). So it is with words
/// such as gelu's approximate: another one that torch knows.
[[nodiscard]] std::vector<OtherNumber> withOtherNumbers(const Literal& call,
                                                        const c10::FunctionSchema& schema, double times);

/// For each tensor of the schema that may be left out, and is: the calls that give one, as a vector of one of
/// the sizes of the other tensors, or of the first one's shape. Most of them are refused, so that whoever
/// asks takes the first that is not. `words` are the argument's name.
[[nodiscard]] std::vector<std::vector<OtherNumber>> withLeftOutTensors(const Literal& call,
                                                                       const c10::FunctionSchema& schema);

/// For each tensor of the schema that may be left out, and is given: the call without it. `words` are the
/// argument's name.
[[nodiscard]] std::vector<OtherNumber> withoutGivenTensors(const Literal& call,
                                                           const c10::FunctionSchema& schema);

}  // namespace wb
