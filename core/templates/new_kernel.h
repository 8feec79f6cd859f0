// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// A first kernel for an operator.
struct NewKernel {
  /// The file's name: "gelu.cpp", "sum.dim_IntList.py".
  std::string file;
  std::string text;
  /// How it begins: "element by element", "row by row", "ATen's answer", "to be written".
  std::string form;
  /// It is right as it is. Raw CUDA cannot ask ATen, and has not a form for every operator.
  bool complete = true;
  bool operator==(const NewKernel&) const = default;
};

/// Makes a first kernel from an operator's schema, in a language by its id ("torch_cpp", "triton", …). It has
/// the right signature. Where the operator is known it computes: element by element, as a reduction, a matrix
/// product, a normalisation or a softmax; elsewhere it asks ATen. Errors: the schema cannot be read; the
/// language is unknown, or cannot take such an operator.
Result<NewKernel> newKernel(std::string_view schema, std::string_view language);

}  // namespace wb
