// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/lower_type.h"

#include <gtest/gtest.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/view_as_real.h>

#include <cmath>
#include <limits>

namespace wb {
namespace {

const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

at::Tensor numbers() {
  return at::arange(-500, 500, at::kDouble).div(7).exp();
}

TEST(RoundedTo, IsWhatTheLowerTypeMakesOfIt) {
  const at::Tensor wide = numbers();
  EXPECT_TRUE(roundedTo(wide, 23).equal(wide.to(at::kFloat).to(at::kDouble)));
  const at::Tensor single = wide.clamp(1e-4, 6e4).to(at::kFloat);
  EXPECT_TRUE(roundedTo(single, 10).equal(single.to(at::kHalf).to(at::kFloat)));
  EXPECT_TRUE(roundedTo(single, 7).equal(single.to(at::kBFloat16).to(at::kFloat)));
}

TEST(RoundedTo, KeepsTypeShapeAndWhatIsNoNumber) {
  const at::Tensor odd = at::tensor({inf, -inf, nan, 0.0, -1.0 / 3}, at::kDouble).reshape({5, 1});
  const at::Tensor rounded = roundedTo(odd, 23);
  EXPECT_EQ(rounded.sizes(), odd.sizes());
  EXPECT_EQ(rounded[0].item<double>(), inf);
  EXPECT_TRUE(std::isnan(rounded[2].item<double>()));
  EXPECT_EQ(rounded[4].item<double>(), static_cast<double>(-1.0F / 3));
  const at::Tensor half = at::full({2}, 1.0625, at::kBFloat16);
  EXPECT_EQ(roundedTo(half, 3).scalar_type(), at::kBFloat16);
  EXPECT_EQ(roundedTo(half, 3)[0].item<double>(), 1.125);
  const at::Tensor whole = at::arange(5, at::kLong), complex = numbers().to(at::kComplexDouble);
  EXPECT_TRUE(roundedTo(whole, 3).equal(whole));
  EXPECT_TRUE(at::view_as_real(roundedTo(complex, 23)).select(-1, 0).equal(roundedTo(numbers(), 23)));
}

TEST(LowerErrors, SayWhetherTheToleranceRefusesIt) {
  const at::Tensor large = at::arange(1, 1000, at::kFloat).div(3), small = large.mul(1e-6);
  const auto errors = [](const at::Tensor& e) {
    return lowerErrors(roundedTo(e, 10), e, {1.3e-6, 1e-5}, *lowerType(at::kFloat), e.numel());
  };
  EXPECT_TRUE(errors(large).rejected());
  EXPECT_TRUE(errors(small).any);
  EXPECT_FALSE(errors(small).rejected());
  EXPECT_FALSE(errors(large.slice(0, 0, 3)).rejected()) << "another result of so few may be lucky";
  EXPECT_FALSE(errors(at::arange(1, 1000, at::kFloat)).any) << "exact in either type";
  EXPECT_FALSE(errors(large.mul(1e-43)).any) << "denormal numbers have lost their bits already";
}

}  // namespace
}  // namespace wb
