// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <vector>

#include "core/engine/check/further/other_numbers.h"

namespace wb {

/// Dimensions and truths, of which many an honest kernel for one case takes no notice, and all others.
enum class Which { others, ofOneCase };

/// For each whole number, each list of them and each truth in the schema, given or left to its default, such
/// as padding, shifts or k: calls with others near them, [2, 2] and [0, 0] for [1, 1], and for a list of
/// tensors the call with one more. Many of them are refused, so that whoever asks takes the first that is
/// not. Where a scale is given, which says what sizes say, lists of sizes stay: the two have to agree.
[[nodiscard]] std::vector<std::vector<OtherNumber>> withOtherArguments(const Literal& call,
                                                                       const c10::FunctionSchema& schema,
                                                                       Which which = Which::others);

}  // namespace wb
