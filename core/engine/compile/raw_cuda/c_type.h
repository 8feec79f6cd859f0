// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/engine/compile/raw_cuda/expression.h"

namespace wb {

/// A scalar type of CUDA C++ that a kernel's parameter may have.
struct CType {
  enum class Kind { boolean, signedInteger, unsignedInteger, floating, half, bfloat16 };
  Kind kind = Kind::signedInteger;
  std::size_t bytes = 4;
  bool operator==(const CType&) const = default;
};

/// The type with this name in any usual spelling: "unsigned long long int", "std::int64_t", "size_t",
/// "__half", "at::BFloat16". Nothing for other types.
[[nodiscard]] std::optional<CType> cType(std::string_view name);

/// Follows aliases (a template's parameters, `using`, `scalar_t`) to a name that cType knows, or as far as
/// they lead.
using TypeNames = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] std::string resolveType(std::string name, const TypeNames& aliases);

/// The value as the kernel's parameter will read it: little-endian, in `type.bytes` of the eight bytes. An
/// error's text where the value does not fit: "3 000 000 000 does not fit an int".
using PackedScalar = std::array<std::byte, 8>;
[[nodiscard]] Result<PackedScalar> pack(Number value, const CType& type, std::string_view typeName);

}  // namespace wb
