// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace wb {

/// Element types of tensors. Names: the trace grammar's abbreviations (BackendBench contract §2.3) and
/// torch's own.
struct DType {
  std::string_view abbreviation;  ///< "f32"
  std::string_view torchName;     ///< "float32"
  std::string_view
      cudaName;       ///< C++ type in a CUDA kernel, `scalar_t`: "float", "__half"; "" where there is none
  std::size_t bytes;  ///< size of one element
};

/// All known types: f64 f32 f16 bf16 c32 c64 c128 i64 i32 i16 i8 u8 b8, and torch's newer u16 u32 u64 and
/// float8 kinds.
[[nodiscard]] std::span<const DType> dtypes();

/// By either name, with or without "torch." or "th."; nullptr when unknown.
[[nodiscard]] const DType* findDType(std::string_view name);

}  // namespace wb
