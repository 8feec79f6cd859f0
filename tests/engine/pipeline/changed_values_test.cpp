// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/changed_values.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace wb {
namespace {

using Way = ValueChange::Way;

at::Tensor changed(const at::Tensor& base, ValueOrigin origin, std::uint64_t seed,
                   std::string_view argument = "self") {
  at::Tensor into = at::zeros_like(base);
  writeChanged(flatMemory(into), flatMemory(base), changeOf(base, argument, origin), seed, 0,
               flatMemory(base).numel());
  return into;
}

TEST(ChangedValues, NeitherElementsNorSumsNorNormsStay) {
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
    const at::Tensor base = at::randn({100, 70}).to(type);
    const at::Tensor first = changed(base, ValueOrigin::normal, 1),
                     second = changed(base, ValueOrigin::normal, 2);
    EXPECT_LT(first.eq(base).sum().item<std::int64_t>(), 700) << type;
    EXPECT_LT(first.eq(second).sum().item<std::int64_t>(), 700) << type;
    // By chance a norm may come near to an earlier one.
    std::set<int> norms;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      norms.insert(static_cast<int>(500 * std::log(changed(base, ValueOrigin::normal, joinedSeed(seed, seed))
                                                       .to(at::kDouble)
                                                       .norm()
                                                       .item<double>())));
    EXPECT_GE(norms.size(), 10U) << type << ": norms 0.2 % apart";
  }
}

TEST(ChangedValues, MagnitudesStayInTheirRange) {
  const at::Tensor normal = changed(at::randn({100000}), ValueOrigin::normal, 3);
  EXPECT_LE(normal.abs().max().item<float>(), 6.0F);
  EXPECT_NEAR(normal.mean().item<float>(), 0, 0.05);
  EXPECT_NEAR(normal.abs().mean().item<float>(), 0.8, 0.3);
  const at::Tensor uniform = changed(at::rand({100000}), ValueOrigin::uniform, 3);
  EXPECT_GE(uniform.min().item<float>(), 0);
  EXPECT_LT(uniform.max().item<float>(), 1);
}

TEST(ChangedValues, IntegersAreNegatedAndIndicesOnlyMove) {
  const at::Tensor base = at::randint(0, 10, {1000}, at::kLong);
  const at::Tensor numbers = changed(base, ValueOrigin::normal, 4, "self");
  EXPECT_LT(numbers.min().item<std::int64_t>(), 0);
  EXPECT_GE(numbers.min().item<std::int64_t>(), -9);
  const at::Tensor indices = changed(base, ValueOrigin::normal, 4, "indices");
  EXPECT_FALSE(indices.equal(base));
  EXPECT_TRUE(std::get<0>(indices.sort()).equal(std::get<0>(base.sort())));
}

TEST(ChangedValues, BooleansStayBooleans) {
  const at::Tensor base = at::randint(0, 2, {500}).to(at::kBool);
  const at::Tensor other = changed(base, ValueOrigin::normal, 5);
  EXPECT_FALSE(other.equal(base));
  EXPECT_LE(other.view(at::kByte).max().item<int>(), 1);
}

TEST(ChangedValues, SomebodysOwnValuesMoveOrAreScaledTogether) {
  const at::Tensor base = at::randn({12, 12}), symmetric = base.add(base.t());
  const at::Tensor moved = changed(symmetric, ValueOrigin::pointwise, 6);
  EXPECT_TRUE(std::get<0>(moved.view({-1}).sort()).equal(std::get<0>(symmetric.view({-1}).sort())));
  const at::Tensor scaled = changed(symmetric, ValueOrigin::own, 6);
  EXPECT_TRUE(scaled.equal(scaled.t()));
  const double factor = scaled.div(symmetric)[3][4].item<double>();
  EXPECT_GT(factor, 0.4);
  EXPECT_LT(factor, 0.99);
  EXPECT_EQ(changeOf(at::randint(0, 5, {3}, at::kLong), "self", ValueOrigin::own).way, Way::keep);
}

TEST(ChangedValues, SpecialValuesStayAsManyAsTheyWere) {
  at::Tensor base = at::randn({1000});
  base.slice(0, 0, 100).fill_(NAN);
  const at::Tensor moved = changed(base, ValueOrigin::special, 7);
  EXPECT_EQ(moved.isnan().sum().item<std::int64_t>(), 100);
  EXPECT_FALSE(moved.isnan().equal(base.isnan()));
}

TEST(ChangedValues, PartsMakeTheSameAsTheWhole) {
  for (const at::Tensor& base :
       {at::randn({1}), at::randn({63}), at::randn({4096}), at::randn({70001}),
        at::randn({9000}).to(at::kHalf), at::randn({500}).to(at::kComplexFloat),
        at::randint(-9, 10, {8200}, at::kLong), at::randint(-9, 10, {70}, at::kShort),
        at::randint(0, 10, {6000}, at::kByte)}) {
    const at::Tensor flat = flatMemory(base), whole = changed(base, ValueOrigin::normal, 8);
    const ValueChange change = changeOf(base, "self", ValueOrigin::normal);
    const at::Tensor parts = at::empty_like(flat);
    for (std::int64_t from = 0; from < flat.numel(); from += 1024)
      writeChanged(parts, flat, change, 8, from, std::min(flat.numel(), from + 1024));
    EXPECT_TRUE(parts.equal(flatMemory(whole))) << base.sizes() << base.scalar_type();
  }
}

TEST(ChangedValues, AViewsMemoryChangesOnce) {
  const at::Tensor wide = at::arange(1, 11, at::kFloat).expand({3, 10});
  EXPECT_EQ(flatMemory(wide).numel(), 10);
  at::Tensor into = at::arange(1, 11, at::kFloat);
  writeChanged(into, flatMemory(wide), changeOf(wide, "self", ValueOrigin::normal), 9, 0, 10);
  EXPECT_FALSE(into.equal(wide[0]));
}

}  // namespace
}  // namespace wb
