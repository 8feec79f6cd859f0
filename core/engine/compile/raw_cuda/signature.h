// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// A parameter as a kernel's own text declares it. Types without const, volatile and __restrict__.
struct CudaParameter {
  std::string type;     ///< "scalar_t", "long long", "std::int64_t"; of a pointer what it points to
  std::string name;     ///< "" where it has none
  std::string written;  ///< as written, for messages: "const scalar_t* __restrict__ x"
  bool pointer = false;
  bool readOnly = false;  ///< a pointer to const
  Place place;
  bool operator==(const CudaParameter&) const = default;
};

/// A `__global__` function found in a source.
struct CudaKernel {
  std::string name;                    ///< with its namespaces: "detail::relu"
  std::vector<std::string> typeNames;  ///< template parameters that are types, in order
  std::size_t templateParameters = 0;  ///< all of them
  std::vector<std::string>
      valueNames;  ///< names of all template parameters, in order; "" where there is none
  std::vector<CudaParameter> parameters;
  Place place;
};

/// What a source says before a compiler reads it: kernels in their order (definitions, or a declaration where
/// there is no definition), and plain type aliases (`using index_t = int;`, `typedef int index_t;`).
struct CudaSource {
  std::vector<CudaKernel> kernels;
  std::map<std::string, std::string, std::less<>> aliases;
  bool usesScalarType =
      false;                   ///< `scalar_t` appears, or a kernel is a template: to be compiled once a dtype
  bool includesFiles = false;  ///< `#include "…"`: the text is not all there is
};

/// Skips comments, strings and preprocessor lines. What it does not understand it leaves out; the compiler
/// will say what is wrong with it.
[[nodiscard]] CudaSource scanCudaSource(std::string_view text, const std::string& file);

}  // namespace wb
