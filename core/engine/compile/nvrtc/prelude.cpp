// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/nvrtc/prelude.h"

#include <fmt/format.h>

#include <array>

#include "core/model/operators/dtype.h"

namespace wb {
namespace {

constexpr std::string_view numbersIncluded = "#pragma once\n#include \"warpbench_numbers.h\"\n";
constexpr std::string_view nothingIncluded = "#pragma once\n";

constexpr std::array<EmbeddedHeader, 15> namesOfHabit{{{"stdint.h", numbersIncluded},
                                                       {"cstdint", numbersIncluded},
                                                       {"limits.h", numbersIncluded},
                                                       {"climits", numbersIncluded},
                                                       {"float.h", numbersIncluded},
                                                       {"cfloat", numbersIncluded},
                                                       {"math.h", numbersIncluded},
                                                       {"cmath", numbersIncluded},
                                                       {"stddef.h", nothingIncluded},
                                                       {"cstddef", nothingIncluded},
                                                       {"stdio.h", nothingIncluded},
                                                       {"cstdio", nothingIncluded},
                                                       {"assert.h", nothingIncluded},
                                                       {"cassert", nothingIncluded},
                                                       {"stdlib.h", nothingIncluded}}};

bool mentions(std::string_view source, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (source.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

const std::vector<EmbeddedHeader>& rawCudaHeaders() {
  static const std::vector<EmbeddedHeader> headers = [] {
    std::vector<EmbeddedHeader> all(numberHeaders().begin(), numberHeaders().end());
    all.insert(all.end(), namesOfHabit.begin(), namesOfHabit.end());
    return all;
  }();
  return headers;
}

Result<std::string> scalarTypeName(std::string_view dtype) {
  if (dtype.empty()) return std::string("float");
  const DType* type = findDType(dtype);
  if (type == nullptr) return Error{Stage::compile, fmt::format("There is no dtype {}.", dtype)};
  if (type->cudaName.empty())
    return Error{Stage::compile, fmt::format("A raw CUDA kernel cannot have scalar_t = {}.", type->torchName),
                 "CUDA C++ has no such type of its own"};
  return std::string(type->cudaName);
}

Result<std::string> makePrelude(std::string_view dtype, std::string_view source) {
  WB_TRY(auto name, scalarTypeName(dtype));
  std::string text = "#pragma once\n#include \"warpbench_numbers.h\"\n";
  if (name == "__half" || mentions(source, {"half"})) text += "#include <cuda_fp16.h>\n";
  if (name == "__nv_bfloat16" || mentions(source, {"bfloat16", "nv_bfloat"}))
    text += "#include <cuda_bf16.h>\n";
  if (name.starts_with("__nv_fp8") || mentions(source, {"__nv_fp8"})) text += "#include <cuda_fp8.h>\n";
  return text + fmt::format("using scalar_t = {};\n", name);
}

}  // namespace wb
