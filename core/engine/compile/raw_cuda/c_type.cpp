// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/c_type.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

namespace wb {
namespace {

using Kind = CType::Kind;

struct NamedType {
  std::string_view name;
  CType type;
};
constexpr std::array<NamedType, 28> typeNames{{{"bool", {Kind::boolean, 1}},
                                               {"float", {Kind::floating, 4}},
                                               {"double", {Kind::floating, 8}},
                                               {"__half", {Kind::half, 2}},
                                               {"half", {Kind::half, 2}},
                                               {"Half", {Kind::half, 2}},
                                               {"__nv_bfloat16", {Kind::bfloat16, 2}},
                                               {"nv_bfloat16", {Kind::bfloat16, 2}},
                                               {"BFloat16", {Kind::bfloat16, 2}},
                                               {"int8_t", {Kind::signedInteger, 1}},
                                               {"int16_t", {Kind::signedInteger, 2}},
                                               {"int32_t", {Kind::signedInteger, 4}},
                                               {"int64_t", {Kind::signedInteger, 8}},
                                               {"uint8_t", {Kind::unsignedInteger, 1}},
                                               {"uint16_t", {Kind::unsignedInteger, 2}},
                                               {"uint32_t", {Kind::unsignedInteger, 4}},
                                               {"uint64_t", {Kind::unsignedInteger, 8}},
                                               {"size_t", {Kind::unsignedInteger, 8}},
                                               {"ssize_t", {Kind::signedInteger, 8}},
                                               {"ptrdiff_t", {Kind::signedInteger, 8}},
                                               {"intptr_t", {Kind::signedInteger, 8}},
                                               {"uintptr_t", {Kind::unsignedInteger, 8}},
                                               {"clock_t", {Kind::signedInteger, 8}},
                                               {"uint", {Kind::unsignedInteger, 4}},
                                               {"ushort", {Kind::unsignedInteger, 2}},
                                               {"uchar", {Kind::unsignedInteger, 1}},
                                               {"ulong", {Kind::unsignedInteger, 8}},
                                               {"ulonglong", {Kind::unsignedInteger, 8}}}};

/// The type of "unsigned long long int" and the like, with the words in any order.
std::optional<CType> integerWords(std::string_view name) {
  std::istringstream words{std::string(name)};
  std::string word;
  int longs = 0, shorts = 0, chars = 0, ints = 0, isSigned = 0, isUnsigned = 0, others = 0;
  while (words >> word) {
    int* count = word == "long"       ? &longs
                 : word == "short"    ? &shorts
                 : word == "char"     ? &chars
                 : word == "int"      ? &ints
                 : word == "signed"   ? &isSigned
                 : word == "unsigned" ? &isUnsigned
                                      : &others;
    ++*count;
  }
  if (others > 0 || longs + shorts + chars + ints + isSigned + isUnsigned == 0) return std::nullopt;
  const std::size_t bytes = chars > 0 ? 1 : shorts > 0 ? 2 : longs > 0 ? 8 : 4;
  return CType{isUnsigned > 0 ? Kind::unsignedInteger : Kind::signedInteger, bytes};
}

template <class T>
PackedScalar bytesOf(T value) {
  PackedScalar packed{};
  std::memcpy(packed.data(), &value, sizeof value);
  return packed;
}

Error misfit(const Number& value, std::string_view typeName, const char* why) {
  const std::string shown = std::visit([](auto number) { return fmt::to_string(number); }, value);
  return Error{Stage::check, fmt::format("{} {} {}", shown, why, typeName)};
}

Result<PackedScalar> packInteger(const Number& value, const CType& type, std::string_view typeName) {
  std::int64_t integer = 0;
  if (const double* real = std::get_if<double>(&value)) {
    if (std::trunc(*real) != *real || std::abs(*real) >= 9.2e18)
      return misfit(value, typeName, "is not a whole number for");
    integer = static_cast<std::int64_t>(*real);
  } else {
    integer = std::get<std::int64_t>(value);
  }
  const int bits = static_cast<int>(type.bytes) * 8;
  if (type.kind == Kind::unsignedInteger) {
    if (integer < 0 || (bits < 64 && (integer >> bits) != 0)) return misfit(value, typeName, "does not fit");
  } else if (bits < 64) {
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    if (integer < -limit || integer >= limit) return misfit(value, typeName, "does not fit");
  }
  return bytesOf(integer);  // in little-endian order the low bytes are the narrower integer
}

}  // namespace

std::optional<CType> cType(std::string_view name) {
  for (std::string_view prefix : {"::", "std::", "at::", "c10::"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  for (const auto& each : typeNames)
    if (each.name == name) return each.type;
  return integerWords(name);
}

std::string resolveType(std::string name, const TypeNames& aliases) {
  for (int step = 0; step < 16; ++step) {
    auto found = aliases.find(name);
    if (found == aliases.end() || found->second == name) break;
    name = found->second;
  }
  return name;
}

Result<PackedScalar> pack(Number value, const CType& type, std::string_view typeName) {
  const double real = std::visit([](auto number) { return static_cast<double>(number); }, value);
  switch (type.kind) {
    case Kind::boolean:
      return bytesOf(static_cast<unsigned char>(real != 0));
    case Kind::half:
      return bytesOf(c10::Half(static_cast<float>(real)));
    case Kind::bfloat16:
      return bytesOf(c10::BFloat16(static_cast<float>(real)));
    case Kind::floating:
      return type.bytes == 4 ? bytesOf(static_cast<float>(real)) : bytesOf(real);
    default:
      return packInteger(value, type, typeName);
  }
}

}  // namespace wb
