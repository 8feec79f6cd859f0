// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/enum.h"
#include "core/base/error.h"

namespace wb {

/// Which stages a case is for.
WB_ENUM(CaseUse, checkAndTime, check, time);

/// One call of an operator. Shapes, types and scalars come from the text, tensors' contents never.
struct Case {
  std::string op;      ///< schema name: "aten::relu", "aten::sum.dim_IntList"
  std::string args;    ///< trace grammar: "((T([5, 5], f32),), {})"
  std::string shapes;  ///< for eyes: "5×5, 5×5"; "–" without tensors
  std::string
      dtype;  ///< for eyes and for `scalar_t`: abbreviation of the first tensor's type; "" without tensors
  std::int64_t count = 1;  ///< how often a trace saw it
  std::uint64_t seed = 0;  ///< of its inputs
  /// Where the contents of its tensors come from: "" drawn from the seed; "nan", "infinity", "denormal",
  /// "extreme", "zero": drawn, and then such values put in; "stored:FILE#3": record 3 of a file in the suite
  /// cache; "own": the problem's get_inputs().
  std::string values;
  std::string group;  ///< the part of its suite that scores as one: opinfo's entry ("add", "__radd__"); ""
  std::string label;  ///< its arguments as BackendBench prints them, where that is not `args`
  CaseUse use = CaseUse::checkAndTime;
  Place origin;  ///< line of the data file it came from
  bool operator==(const Case&) const = default;
};

}  // namespace wb
