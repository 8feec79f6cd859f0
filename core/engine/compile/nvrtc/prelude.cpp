// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/nvrtc/prelude.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/model/operators/dtype.h"

namespace wb {
namespace {

constexpr std::string_view numbersIncluded = "#pragma once\n#include \"warpbench_numbers.h\"\n";
constexpr std::string_view nothingIncluded = "#pragma once\n";

constexpr std::string_view standardIncluded = "#pragma once\n#include \"warpbench_std.h\"\n";

constexpr std::array<EmbeddedHeader, 19> namesOfHabit{{{"stdint.h", numbersIncluded},
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
                                                       {"stdlib.h", nothingIncluded},
                                                       {"limits", standardIncluded},
                                                       {"type_traits", standardIncluded},
                                                       {"utility", standardIncluded},
                                                       {"algorithm", standardIncluded}}};

/// A header of CUDA's or libcu++'s, and ours that #include finds in its place.
constexpr std::pair<std::string_view, std::string_view> inPlaceOfCudas[] = {
    {"cuda/std/climits", "cccl_climits.h"},
    {"cuda/std/cmath", "cccl_cmath.h"},
    {"cuda/std/cstdint", "cccl_cstdint.h"},
    {"cub/cub.cuh", "cccl_cub.h"},
    {"cuda_awbarrier_helpers.h", "awbarrier_helpers.h"},
    {"cuda_pipeline_helpers.h", "pipeline_helpers.h"}};

bool mentions(std::string_view source, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (source.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

const std::vector<EmbeddedHeader>& headersForNvrtc() {
  static const std::vector<EmbeddedHeader> headers = [] {
    std::vector<EmbeddedHeader> all(nvrtcHeaders().begin(), nvrtcHeaders().end());
    for (const auto& [name, ours] : inPlaceOfCudas)
      for (const EmbeddedHeader& header : nvrtcHeaders())
        if (header.name == ours) all.push_back({name, header.text});
    return all;
  }();
  return headers;
}

const std::vector<EmbeddedHeader>& rawCudaHeaders() {
  static const std::vector<EmbeddedHeader> headers = [] {
    std::vector<EmbeddedHeader> all = headersForNvrtc();
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
