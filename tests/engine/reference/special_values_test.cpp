// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/special_values.h"

#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/view_as_real.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/engine/reference/operator.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

at::Tensor made(const std::string& kind, const TensorLiteral& literal, std::uint64_t seed = 5,
                std::string_view argument = "self") {
  const Literal spelling;
  return specialTensors(*specialValues(kind))({spelling, literal, argument, at::kCPU, seed});
}

TensorLiteral literal(std::vector<std::int64_t> shape, std::string dtype,
                      std::vector<std::int64_t> stride = {}) {
  const bool strided = !stride.empty();
  return {std::move(shape), std::move(dtype), strided, std::move(stride)};
}

/// How many elements satisfy a predicate, as doubles.
template <class Predicate>
int count(const at::Tensor& tensor, Predicate predicate) {
  const at::Tensor values = tensor.to(at::kDouble).contiguous();
  const double* data = values.const_data_ptr<double>();
  return static_cast<int>(std::count_if(data, data + values.numel(), predicate));
}

TEST(SpecialValues, OneInSixteenIsSpecialTheRestIsDrawn) {
  const at::Tensor plain = drawnTensor({Literal{}, literal({64, 16}, "f32"), "self", at::kCPU, 5});
  const at::Tensor tensor = made("nan", literal({64, 16}, "f32"));
  EXPECT_EQ(count(tensor, [](double x) { return std::isnan(x); }), 64);
  EXPECT_EQ(count(tensor.sub(plain), [](double x) { return x == 0; }), 64 * 15);
}

TEST(SpecialValues, EachKindIsWhatItSays) {
  const auto all = literal({32, 32}, "f32");
  const at::Tensor infinity = made("infinity", all);
  EXPECT_GT(count(infinity, [](double x) { return x == INFINITY; }), 5);
  EXPECT_GT(count(infinity, [](double x) { return x == -INFINITY; }), 5);
  constexpr double tiny = std::numeric_limits<float>::min();
  EXPECT_EQ(count(made("denormal", all), [&](double x) { return x != 0 && std::abs(x) < tiny; }), 64);
  constexpr double huge = std::numeric_limits<float>::max();
  EXPECT_EQ(count(made("extreme", all), [&](double x) { return std::abs(x) == huge || std::abs(x) == tiny; }),
            64);
  const at::Tensor zero = made("zero", all);
  EXPECT_EQ(count(zero, [](double x) { return x == 0; }), 64);
  EXPECT_GT(count(zero, [](double x) { return x == 0 && std::signbit(x); }), 5);
}

TEST(SpecialValues, ExtremesAreThoseOfTheType) {
  for (const auto& [dtype, largest] : {std::pair<std::string, double>{"f16", 65504},
                                       {"bf16", 3.3895313892515355e+38},
                                       {"f64", std::numeric_limits<double>::max()},
                                       {"float8_e4m3fn", 448},
                                       {"float8_e5m2", 57344}}) {
    const at::Tensor tensor = made("extreme", literal({40, 40}, dtype));
    EXPECT_GT(count(tensor, [value = largest](double x) { return x == value; }), 0) << dtype;
    EXPECT_GT(count(tensor, [value = largest](double x) { return x == -value; }), 0) << dtype;
    EXPECT_EQ(count(tensor, [](double x) { return !std::isfinite(x); }), 0) << dtype;
  }
}

TEST(SpecialValues, DenormalsOfShortTypesAreNotFlushed) {
  for (const auto& [dtype, smallest] :
       {std::pair<std::string, double>{"f16", 5.960464477539063e-08}, {"bf16", 9.183549615799121e-41}})
    EXPECT_GT(count(made("denormal", literal({40, 40}, dtype)),
                    [value = smallest](double x) { return x == value; }),
              0)
        << dtype;
}

TEST(SpecialValues, AlwaysOneThatShows) {
  for (const auto& shape :
       {literal({}, "f32"), literal({1}, "f32"), literal({3}, "bf16"), literal({17}, "f64"),
        literal({4, 4}, "f32", {1, 4}), literal({2, 2}, "f32", {100, 50}), literal({8, 3}, "f16", {0, 1}),
        literal({5}, "f32", {32})})
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_GE(count(made("nan", shape, seed), [](double x) { return std::isnan(x); }), 1) << seed;
  EXPECT_EQ(made("nan", literal({0, 3}, "f32")).numel(), 0);
}

TEST(SpecialValues, ComplexNumbersGetThemInTheirParts) {
  const at::Tensor parts = at::view_as_real(made("infinity", literal({64}, "c64")));
  EXPECT_EQ(count(parts, [](double x) { return std::isinf(x); }), 8);
}

TEST(SpecialValues, TheSeedAloneDecides) {
  const auto shape = literal({16, 16}, "f32");
  const auto places = [&](std::uint64_t seed) { return at::isnan(made("nan", shape, seed)); };
  EXPECT_TRUE(places(1).equal(places(1)));
  EXPECT_FALSE(places(1).equal(places(2)));
}

TEST(SpecialValues, IntegersGetExtremesUnlessTheyPointSomewhere) {
  const auto integers = literal({64}, "i64");
  const auto isLargest = [](double x) { return std::abs(x) > 1e18; };
  EXPECT_EQ(count(made("extreme", integers), isLargest), 4);
  EXPECT_EQ(count(made("extreme", integers, 5, "index"), isLargest), 0);
  EXPECT_EQ(count(made("extreme", integers, 5, "indices"), isLargest), 0);
  EXPECT_EQ(count(made("extreme", literal({64}, "u8")), [](double x) { return x == 255; }), 4);
  const at::Tensor plain = drawnTensor({Literal{}, integers, "self", at::kCPU, 5});
  for (const char* kind : {"nan", "infinity", "denormal", "zero"})
    EXPECT_TRUE(made(kind, integers).equal(plain));
  EXPECT_EQ(made("extreme", literal({64}, "b8")).scalar_type(), at::kBool);
}

TEST(SpecialValues, UnknownKindsAreNone) {
  EXPECT_FALSE(specialValues("nans"));
  EXPECT_FALSE(specialValues(""));
}

}  // namespace
}  // namespace wb
