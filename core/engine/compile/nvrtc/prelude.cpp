// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/nvrtc/prelude.h"

#include <fmt/format.h>

#include <array>

#include "core/model/operators/dtype.h"

namespace wb {
namespace {

// On Linux, where every worker runs, long has 64 bits; these are the types of <cstdint> as nvcc has them.
constexpr const char* integersHeader = R"(#pragma once
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::size_t; using ::ptrdiff_t;
}
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807L
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-INT32_MAX - 1)
#define INT64_MIN (-INT64_MAX - 1L)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
)";

constexpr const char* limitsHeader = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
)";

constexpr const char* floatsHeader = R"(#pragma once
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
)";

constexpr const char* mathHeader = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
)";

constexpr const char* nothingHeader = "#pragma once\n";

constexpr std::array<StandInHeader, 15> standInTexts{{{"stdint.h", integersHeader},
                                                      {"cstdint", "#include \"stdint.h\"\n"},
                                                      {"limits.h", limitsHeader},
                                                      {"climits", "#include \"limits.h\"\n"},
                                                      {"float.h", floatsHeader},
                                                      {"cfloat", "#include \"float.h\"\n"},
                                                      {"math.h", mathHeader},
                                                      {"cmath", "#include \"math.h\"\n"},
                                                      {"stddef.h", nothingHeader},
                                                      {"cstddef", nothingHeader},
                                                      {"stdio.h", nothingHeader},
                                                      {"cstdio", nothingHeader},
                                                      {"assert.h", nothingHeader},
                                                      {"cassert", nothingHeader},
                                                      {"stdlib.h", nothingHeader}}};

bool mentions(std::string_view source, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words)
    if (source.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::span<const StandInHeader> standInHeaders() {
  return standInTexts;
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
  std::string text =
      "#pragma once\n#include \"stdint.h\"\n#include \"limits.h\"\n#include \"float.h\"\n#include "
      "\"math.h\"\n";
  if (name == "__half" || mentions(source, {"half"})) text += "#include <cuda_fp16.h>\n";
  if (name == "__nv_bfloat16" || mentions(source, {"bfloat16", "nv_bfloat"}))
    text += "#include <cuda_bf16.h>\n";
  if (name.starts_with("__nv_fp8") || mentions(source, {"__nv_fp8"})) text += "#include <cuda_fp8.h>\n";
  return text + fmt::format("using scalar_t = {};\n", name);
}

}  // namespace wb
