// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/enum.h"
#include "core/base/error.h"

namespace wb {

/// The stages that a case is for.
WB_ENUM(CaseUse, checkAndTime, check, time);

/// One call of an operator. Shapes, types and scalars come from its text; the contents of tensors never do.
struct Case {
  /// The schema name: "aten::relu", "aten::sum.dim_IntList".
  std::string op;
  /// The arguments in the trace grammar: "((T([5, 5], f32),), {})".
  std::string args;
  /// The shapes for people: "5×5, 5×5"; "–" without tensors.
  std::string shapes;
  /// The abbreviation of the first tensor's type, for people and for `scalar_t`; "" without tensors.
  std::string dtype;
  /// How often a trace saw the call.
  std::int64_t count = 1;
  /// The seed of its inputs.
  std::uint64_t seed = 0;
  /// Where the contents of its tensors come from. "": they are drawn from the seed. "nan", "infinity",
  /// "denormal", "extreme" or "zero": they are drawn, and then such values are put in. "stored:FILE#3": they
  /// are record 3 of a file in the suite cache. "own": they come from the problem's get_inputs().
  std::string values;
  /// The part of its suite that scores as one: opinfo's entry ("add", "__radd__"), or "".
  std::string group;
  /// Its arguments as BackendBench prints them, where that is not `args`.
  std::string label;
  CaseUse use = CaseUse::checkAndTime;
  /// The line of the data file from which it came.
  Place origin;
  bool operator==(const Case&) const = default;
};

}  // namespace wb
