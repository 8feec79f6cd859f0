// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace wb {

/// One call of an operator. Values come from `seed`, never from the text.
struct Case {
  std::string op;      ///< schema name: "aten::relu", "aten::sum.dim_IntList"
  std::string args;    ///< trace grammar: "((T([5, 5], f32),), {})"
  std::string shapes;  ///< for eyes: "5×5, 5×5"; "–" without tensors
  std::string
      dtype;  ///< for eyes and for `scalar_t`: abbreviation of the first tensor's type; "" without tensors
  std::int64_t count = 1;  ///< how often a trace saw it
  std::uint64_t seed = 0;  ///< of its inputs
  Place origin;            ///< line of the data file it came from
  bool operator==(const Case&) const = default;
};

}  // namespace wb
