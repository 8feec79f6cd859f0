// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace wb {

/// An element type of tensors. It has two names: the abbreviation in BackendBench's traces, and torch's own.
struct DType {
  /// The abbreviation: "f32".
  std::string_view abbreviation;
  /// torch's name: "float32".
  std::string_view torchName;
  /// The C++ type in a CUDA kernel, `scalar_t`: "float", "__half"; "" where there is none.
  std::string_view cudaName;
  /// The size of one element.
  std::size_t bytes;
};

/// All known types: f64 f32 f16 bf16 c32 c64 c128 i64 i32 i16 i8 u8 b8, and torch's newer u16 u32 u64 and
/// float8 kinds.
[[nodiscard]] std::span<const DType> dtypes();

/// The type with either name, with or without "torch." or "th."; nullptr when unknown.
[[nodiscard]] const DType* findDType(std::string_view name);

}  // namespace wb
