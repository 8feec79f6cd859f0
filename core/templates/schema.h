// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// One argument or result of an operator, as its schema writes it.
struct SchemaValue {
  /// The type without marks: "Tensor", "int", "Scalar"; of a list that of its elements.
  std::string type;
  /// "int[1]?" is an optional list of integers; "Tensor?[]" is a list of optional tensors.
  bool isList = false, isOptional = false, hasOptionalElements = false;
  /// "Tensor(a!)": the operator writes to it.
  bool isWritten = false;
  std::string name;
  /// The default as the schema writes it: "None", "[]", "1"; meaningful where there is one.
  std::string defaultValue;
  bool hasDefault = false;
  /// It comes after the "*" and has to be named.
  bool keywordOnly = false;
  bool operator==(const SchemaValue&) const = default;
};

struct Schema {
  /// "aten", "sum", "dim_IntList"; the overload may be "".
  std::string space, name, overload;
  std::vector<SchemaValue> arguments, results;
  bool operator==(const Schema&) const = default;
};

/// Reads "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) ->
/// Tensor". The error names the text that does not fit.
Result<Schema> parseSchema(std::string_view text);

}  // namespace wb
