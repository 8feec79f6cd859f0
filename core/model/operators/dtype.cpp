// SPDX-License-Identifier: Apache-2.0
#include "core/model/operators/dtype.h"

#include <array>
#include <utility>

namespace wb {
namespace {

// CUDA's names are those of NVRTC with cuda_fp16.h, cuda_bf16.h and cuda_fp8.h; no <cstdint> is needed for
// the integers.
constexpr std::array types{
    DType{"f64", "float64", "double", 8},
    DType{"f32", "float32", "float", 4},
    DType{"f16", "float16", "__half", 2},
    DType{"bf16", "bfloat16", "__nv_bfloat16", 2},
    DType{"c32", "complex32", "", 4},
    DType{"c64", "complex64", "", 8},
    DType{"c128", "complex128", "", 16},
    DType{"i64", "int64", "long long", 8},
    DType{"i32", "int32", "int", 4},
    DType{"i16", "int16", "short", 2},
    DType{"i8", "int8", "signed char", 1},
    DType{"u8", "uint8", "unsigned char", 1},
    DType{"b8", "bool", "bool", 1},
    DType{"u16", "uint16", "unsigned short", 2},
    DType{"u32", "uint32", "unsigned int", 4},
    DType{"u64", "uint64", "unsigned long long", 8},
    DType{"f8e4m3fn", "float8_e4m3fn", "__nv_fp8_e4m3", 1},
    DType{"f8e5m2", "float8_e5m2", "__nv_fp8_e5m2", 1},
    DType{"f8e4m3fnuz", "float8_e4m3fnuz", "", 1},
    DType{"f8e5m2fnuz", "float8_e5m2fnuz", "", 1},
    DType{"f8e8m0fnu", "float8_e8m0fnu", "__nv_fp8_e8m0", 1},
};

/// torch's second names, which mean a type only after "torch.".
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> aliases{{{"double", "f64"},
                                                                                {"float", "f32"},
                                                                                {"half", "f16"},
                                                                                {"long", "i64"},
                                                                                {"int", "i32"},
                                                                                {"short", "i16"},
                                                                                {"chalf", "c32"},
                                                                                {"cfloat", "c64"},
                                                                                {"cdouble", "c128"}}};

}  // namespace

std::span<const DType> dtypes() {
  return types;
}

const DType* findDType(std::string_view name) {
  bool ofTorch = false;
  for (std::string_view prefix : {"torch.", "th."}) {
    if (!ofTorch && name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      ofTorch = true;
    }
  }
  if (ofTorch) {
    for (const auto& [alias, abbreviation] : aliases) {
      if (name == alias) name = abbreviation;
    }
  }
  for (const DType& type : types) {
    if (name == type.abbreviation || name == type.torchName) return &type;
  }
  return nullptr;
}

}  // namespace wb
