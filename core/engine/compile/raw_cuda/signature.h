// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// A parameter as a kernel's own text declares it. Types are without const, volatile and __restrict__.
struct CudaParameter {
  /// The type, "scalar_t", "long long", "std::int64_t"; of a pointer the type that it points to.
  std::string type;
  /// The name; "" where it has none.
  std::string name;
  /// The text as it was written, for messages: "const scalar_t* __restrict__ x".
  std::string written;
  bool pointer = false;
  /// It is a pointer to const.
  bool readOnly = false;
  Place place;
  bool operator==(const CudaParameter&) const = default;
};

/// A `__global__` function found in a source.
struct CudaKernel {
  /// The name with its namespaces: "detail::relu".
  std::string name;
  /// The template parameters that are types, in order.
  std::vector<std::string> typeNames;
  /// The number of all template parameters.
  std::size_t templateParameters = 0;
  /// The names of all template parameters, in order; "" where there is none.
  std::vector<std::string> valueNames;
  std::vector<CudaParameter> parameters;
  Place place;
};

/// What a source says before a compiler reads it: its kernels in their order (definitions, or a declaration
/// where there is no definition), and plain type aliases (`using index_t = int;`, `typedef int index_t;`).
struct CudaSource {
  std::vector<CudaKernel> kernels;
  std::map<std::string, std::string, std::less<>> aliases;
  /// The source must be compiled once per dtype, since `scalar_t` appears, or a kernel is a template.
  bool usesScalarType = false;
  /// It includes files with `#include "…"`, so the text is not complete.
  bool includesFiles = false;
};

/// Reads a source. Skips comments, strings and preprocessor lines. It leaves out what it does not understand;
/// the compiler will say what is wrong with that.
[[nodiscard]] CudaSource scanCudaSource(std::string_view text, const std::string& file);

}  // namespace wb
