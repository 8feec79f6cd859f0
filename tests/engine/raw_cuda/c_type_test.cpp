// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/c_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace wb {
namespace {

template <class T>
T packedAs(const std::string& type, Number value) {
  auto packed = pack(value, *cType(type), type);
  EXPECT_TRUE(packed) << type;
  T read{};
  if (packed) std::memcpy(&read, packed->data(), sizeof read);
  return read;
}

TEST(CTypes, KnowsTheUsualSpellings) {
  using K = CType::Kind;
  EXPECT_EQ(cType("int"), (CType{K::signedInteger, 4}));
  EXPECT_EQ(cType("unsigned"), (CType{K::unsignedInteger, 4}));
  EXPECT_EQ(cType("long long int"), (CType{K::signedInteger, 8}));
  EXPECT_EQ(cType("unsigned long"), (CType{K::unsignedInteger, 8}));
  EXPECT_EQ(cType("std::int64_t"), (CType{K::signedInteger, 8}));
  EXPECT_EQ(cType("size_t"), (CType{K::unsignedInteger, 8}));
  EXPECT_EQ(cType("signed char"), (CType{K::signedInteger, 1}));
  EXPECT_EQ(cType("__half"), (CType{K::half, 2}));
  EXPECT_EQ(cType("at::BFloat16"), (CType{K::bfloat16, 2}));
  EXPECT_EQ(cType("float2"), std::nullopt);
  EXPECT_EQ(cType(""), std::nullopt);
  EXPECT_EQ(cType("void"), std::nullopt);
}

TEST(CTypes, ValuesHaveExactlyTheParametersType) {
  EXPECT_EQ(packedAs<int>("int", std::int64_t{-5}), -5);
  EXPECT_EQ(packedAs<std::int64_t>("long long", std::int64_t{3000000000}), 3000000000);
  EXPECT_EQ(packedAs<float>("float", 1.5), 1.5F);
  EXPECT_EQ(packedAs<float>("float", std::int64_t{3}), 3.0F);
  EXPECT_EQ(packedAs<double>("double", 0.1), 0.1);
  EXPECT_EQ(packedAs<std::uint16_t>("__half", 1.0), 0x3C00);
  EXPECT_EQ(packedAs<std::uint16_t>("__nv_bfloat16", 1.0), 0x3F80);
  EXPECT_EQ(packedAs<unsigned char>("bool", std::int64_t{2}), 1);
  EXPECT_EQ(packedAs<unsigned char>("unsigned char", std::int64_t{255}), 255);
  EXPECT_EQ(packedAs<int>("int", 7.0), 7);
}

TEST(CTypes, ValuesThatDoNotFitAreErrors) {
  EXPECT_FALSE(pack(Number{std::int64_t{3000000000}}, *cType("int"), "int"));
  EXPECT_FALSE(pack(Number{std::int64_t{-1}}, *cType("size_t"), "size_t"));
  EXPECT_FALSE(pack(Number{std::int64_t{256}}, *cType("uint8_t"), "uint8_t"));
  EXPECT_FALSE(pack(Number{1.5}, *cType("int"), "int"));
  EXPECT_FALSE(pack(Number{1e300}, *cType("long"), "long"));
  auto misfit = pack(Number{std::int64_t{3000000000}}, *cType("int"), "int");
  ASSERT_FALSE(misfit);
  EXPECT_EQ(misfit.error().text, "3000000000 does not fit int");
}

TEST(CTypes, AliasesAreFollowedAndCirclesEnd) {
  EXPECT_EQ(resolveType("T", {{"T", "scalar_t"}, {"scalar_t", "__half"}}), "__half");
  EXPECT_EQ(resolveType("a", {{"a", "b"}, {"b", "a"}}).size(), 1U);
  EXPECT_EQ(resolveType("scalar_t", {{"scalar_t", "scalar_t"}}), "scalar_t");
}

}  // namespace
}  // namespace wb
