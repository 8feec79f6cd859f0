// SPDX-License-Identifier: Apache-2.0
// What rounding excuses and what it does not: honest kernels in other orders of addition pass, those in a
// lower type and those that leave elements out do not.
#include <gmock/gmock.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/logspace.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include "core/engine/check/check_stage.h"
#include "core/engine/check/compare/lower_type.h"
#include "core/engine/check/oracle.h"
#include "core/engine/check/same_answers.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;
using Kernel = LambdaCandidate::Kernel;

/// Of several draws, so that nothing passes by luck.
std::vector<CaseCheck> checks(const char* op, const char* args, const Kernel& kernel,
                              std::uint64_t draws = 4) {
  Bench bench(op, kernel);
  std::vector<CaseCheck> all;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    Case one = bench.definition(args);
    one.seed = seed;
    all.push_back(checkCase(bench.context(), one));
  }
  return all;
}

std::int64_t passes(const std::vector<CaseCheck>& all) {
  return std::count_if(all.begin(), all.end(),
                       [](const CaseCheck& check) { return check.verdict == Verdict::pass; });
}

/// One number after the other, in float32.
at::Tensor serialSum(const at::Tensor& values, std::int64_t dim) {
  const at::Tensor rows = values.movedim(dim, -1).contiguous();
  const at::Tensor sums =
      at::empty(rows.sizes().slice(0, static_cast<std::size_t>(rows.dim()) - 1), rows.options());
  const std::int64_t length = rows.size(-1);
  for (std::int64_t row = 0; row < sums.numel(); ++row) {
    float sum = 0;
    for (std::int64_t i = 0; i < length; ++i) sum += rows.const_data_ptr<float>()[row * length + i];
    sums.mutable_data_ptr<float>()[row] = sum;
  }
  return sums;
}

TEST(Precision, ASerialSumPassesWithItsFigure) {
  const Kernel serial = [](const Stack& a) -> Stack { return {serialSum(a[0].toTensor(), 0)}; };
  EXPECT_EQ(passes(checks("aten::sum", "((T([8192], f32),), {})", serial, 20)), 20);
  const Kernel rows = [](const Stack& a) -> Stack { return {serialSum(a[0].toTensor(), 1)}; };
  const std::vector<CaseCheck> many =
      checks("aten::sum.dim_IntList", "((T([200, 8192], f32), [1]), {})", rows, 3);
  EXPECT_EQ(passes(many), 3);
  EXPECT_GT(many[0].errors->forgiven, 0) << "of 200 sums some are over the tolerance";
  EXPECT_THAT(many[0].message, HasSubstr("8 192 numbers"));
}

TEST(Precision, ASumThatLeavesNumbersOutDoesNot) {
  const Kernel lazy = [](const Stack& a) -> Stack {
    return {serialSum(a[0].toTensor().slice(1, 0, 8191), 1)};
  };
  EXPECT_EQ(passes(checks("aten::sum.dim_IntList", "((T([200, 8192], f32), [1]), {})", lazy, 2)), 0);
  const Kernel coarse = [](const Stack& a) -> Stack {
    return {serialSum(a[0].toTensor().to(at::kHalf).to(at::kFloat), 1)};
  };
  EXPECT_EQ(passes(checks("aten::sum.dim_IntList", "((T([200, 8192], f32), [1]), {})", coarse, 2)), 0);
}

// ATen computes these in bfloat16 all the way, and is far from what its arguments say.
TEST(Precision, WhatIsCloserThanAtenPassesWhereOnlyATypeIsGiven) {
  const auto exact = [](double off) -> Kernel {
    return [off](const Stack& a) -> Stack {
      const at::Tensor value = at::logspace(a[0].toScalar(), a[1].toScalar(), a[2].toInt(), a[3].toDouble(),
                                            at::TensorOptions(at::kDouble));
      return {value.mul(1 + off).to(at::kBFloat16)};
    };
  };
  const char* const args = "((4.3, -3, 50, 10.0,), {'dtype': torch.bfloat16})";
  EXPECT_EQ(passes(checks("aten::logspace", args, exact(0), 1)), 1);
  EXPECT_EQ(passes(checks("aten::logspace", args, exact(0.2), 1)), 0);
}

/// The sums so far, one number after the other in float32, along the last dimension.
at::Tensor serialSumsSoFar(const at::Tensor& values) {
  at::Tensor sums = values.contiguous().clone();
  float* const data = sums.mutable_data_ptr<float>();
  const std::int64_t length = sums.size(-1);
  for (std::int64_t i = 0; i < sums.numel(); ++i)
    if (i % length > 0) data[i] += data[i - 1];
  return sums;
}

TEST(Precision, ASerialCumulativeSumPassesWhereverItsLargestNumberIs) {
  const Kernel plain = [](const Stack& a) -> Stack { return {serialSumsSoFar(a[0].toTensor())}; };
  EXPECT_EQ(passes(checks("aten::cumsum", "((T([32, 4000], f32), 1), {})", plain)), 4);
  EXPECT_EQ(passes(checks("aten::cumsum", "((T([1, 40000], f32), 1), {})", plain)), 4);
}

/// How many numbers an element of the answer comes from, as it is found by trying.
double termsOf(const char* op, const Stack& arguments) {
  Bench bench(op, [](const Stack&) -> Stack { return {}; });
  const KernelContext kernel = bench.context();
  const Stack oracle = oracleOutputs(kernel, arguments);
  return roundingRoom(kernel, arguments, oracle, oracle).terms;
}

TEST(Precision, HowManyNumbersAreAddedIsFoundWhereverTheLargestIs) {
  const at::Tensor ramp = at::arange(1, 40001, at::kFloat).reshape({10, 4000});
  EXPECT_EQ(termsOf("aten::relu", {ramp}), 1);
  EXPECT_EQ(termsOf("aten::sum.dim_IntList", {ramp, std::vector<std::int64_t>{1}, false, c10::IValue()}),
            4000);
  EXPECT_EQ(termsOf("aten::sum", {ramp, c10::IValue()}), 40000);
  const double lastIsLargest = termsOf("aten::cumsum", {ramp, 1, c10::IValue()});
  EXPECT_GT(lastIsLargest, 1000) << "2 000 on the average";
  EXPECT_LT(lastIsLargest, 4000);
  // Only the diagonal counts, which is not where the largest is.
  const at::Tensor square = at::arange(40000, at::kFloat).flip(0).sub(7).reshape({200, 200});
  const double diagonal = termsOf("aten::trace", {square.flip(0)});
  EXPECT_GT(diagonal, 40);
  EXPECT_LT(diagonal, 1600) << "of 200 numbers, by chance";
}

TEST(Precision, ACumulativeSumThatLeavesNumbersOutDoesNot) {
  const Kernel skips = [](const Stack& a) -> Stack {
    at::Tensor values = a[0].toTensor().clone();
    values.select(1, 1000).zero_();
    return {serialSumsSoFar(values)};
  };
  EXPECT_EQ(passes(checks("aten::cumsum", "((T([32, 4000], f32), 1), {})", skips)), 0);
  const Kernel half = [](const Stack& a) -> Stack {
    return {serialSumsSoFar(a[0].toTensor().to(at::kHalf).to(at::kFloat))};
  };
  EXPECT_EQ(passes(checks("aten::cumsum", "((T([32, 4000], f32), 1), {})", half)), 0);
  const Kernel starts = [](const Stack& a) -> Stack {
    return {at::cat({serialSumsSoFar(a[0].toTensor().narrow(1, 0, 2000)),
                     serialSumsSoFar(a[0].toTensor().narrow(1, 2000, 2000))},
                    1)};
  };
  EXPECT_EQ(passes(checks("aten::cumsum", "((T([32, 4000], f32), 1), {})", starts)), 0);
}

TEST(Precision, ASerialMatrixProductPassesAndOneInTf32DoesNot) {
  const char* args = "((T([12, 5000], f32), T([5000, 9], f32)), {})";
  const Kernel serial = [](const Stack& a) -> Stack {
    const at::Tensor products = a[0].toTensor().unsqueeze(2).mul(a[1].toTensor());
    return {serialSum(products, 1)};
  };
  EXPECT_EQ(passes(checks("aten::mm", args, serial)), 4);
  const Kernel tf32 = [](const Stack& a) -> Stack {
    return {roundedTo(a[0].toTensor(), 10).mm(roundedTo(a[1].toTensor(), 10))};
  };
  EXPECT_EQ(passes(checks("aten::mm", args, tf32)), 0);
}

TEST(Precision, ZerosInAPowerAreAMismatch) {
  // The largest elements' rounding is more than most elements are: they may be zero for all that.
  const Kernel zeroed = [](const Stack& a) -> Stack {
    const at::Tensor right = a[0].toTensor().pow(20), exact = a[0].toTensor().to(at::kDouble).pow(20);
    const at::Tensor worst = right.to(at::kDouble).sub(exact).abs().max();
    const at::Tensor kept = exact.ge(worst.mul(2)).logical_or(exact.le(2e-5));
    return {at::where(kept, right, at::zeros_like(right))};
  };
  EXPECT_EQ(passes(checks("aten::pow.Tensor_Scalar", "((T([4096], f32), 20), {})", zeroed)), 0);
}

TEST(Precision, Float32IsNoFloat64) {
  const auto through = [](const Kernel& kernel) {
    return [kernel](const Stack& a) {
      Stack narrow;
      for (const c10::IValue& value : a)
        narrow.push_back(value.isTensor() ? c10::IValue(value.toTensor().to(at::kFloat)) : value);
      return Stack{kernel(narrow)[0].toTensor().to(at::kDouble)};
    };
  };
  const Kernel mm = [](const Stack& a) -> Stack { return {a[0].toTensor().mm(a[1].toTensor())}; };
  const Kernel relu = [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_min(0)}; };
  const Kernel tanh = [](const Stack& a) -> Stack { return {a[0].toTensor().tanh()}; };
  const Kernel softmax = [](const Stack& a) -> Stack { return {a[0].toTensor().softmax(-1)}; };
  const char* one = "((T([50, 60], f64),), {})";
  EXPECT_EQ(passes(checks("aten::mm", "((T([30, 400], f64), T([400, 20], f64)), {})", through(mm))), 0);
  EXPECT_EQ(passes(checks("aten::relu", one, through(relu))), 0);
  EXPECT_EQ(passes(checks("aten::tanh", one, through(tanh))), 0);
  EXPECT_EQ(passes(checks("aten::_softmax", "((T([5, 30000], f64), -1, False), {})", through(softmax))), 0);
  const char* few = "((T([2, 3], f64), T([3, 2], f64)), {})";
  EXPECT_EQ(passes(checks("aten::mm", few, through(mm), 12)), 0) << "nor where few elements may be lucky";
  const CaseCheck check = checks("aten::tanh", one, through(tanh), 1)[0];
  EXPECT_EQ(check.lower, "float32");
  EXPECT_THAT(check.message, HasSubstr("no more exact than float32"));
}

TEST(Precision, ManyAnswersAtOnceAreNotSureInALowerType) {
  const Tolerance torchPreset{"torch", 0, 0};
  const at::Tensor wide = at::arange(1, 500, at::kDouble).div(7), single = wide.div(1e5).to(at::kFloat);
  const auto sure = [&](const at::Tensor& actual, const at::Tensor& expected) {
    const std::vector<Stack> a{{actual}}, e{{expected}};
    return surelyClose(a, e, torchPreset);
  };
  EXPECT_TRUE(sure(wide.add(1e-13), wide));
  EXPECT_FALSE(sure(roundedTo(wide, 23), wide));
  EXPECT_TRUE(sure(single.mul(1 + 1e-7F), single));
  EXPECT_FALSE(sure(roundedTo(single, 10), single));
  const at::Tensor odd = at::where(wide.gt(50), at::full_like(wide, NAN), wide);
  EXPECT_TRUE(sure(odd.clone(), odd)) << "the same bits are";
  EXPECT_FALSE(sure(wide, odd));
}

TEST(Precision, Float64InAnotherOrderPasses) {
  const Kernel mm = [](const Stack& a) -> Stack {
    return {a[0].toTensor().unsqueeze(2).mul(a[1].toTensor()).flip(1).cumsum(1).select(1, -1)};
  };
  EXPECT_EQ(passes(checks("aten::mm", "((T([30, 400], f64), T([400, 20], f64)), {})", mm)), 4);
  const Kernel tanh = [](const Stack& a) -> Stack {
    const at::Tensor e = a[0].toTensor().mul(2).exp();
    return {e.sub(1).div(e.add(1))};
  };
  EXPECT_EQ(passes(checks("aten::tanh", "((T([50, 60], f64),), {})", tanh)), 4);
  const Kernel inverse = [](const Stack& a) -> Stack {
    return {a[0].toTensor().to(at::kDouble).t().inverse().t().contiguous()};
  };
  EXPECT_EQ(passes(checks("aten::inverse", "((T([80, 80], f64),), {})", inverse)), 4);
}

TEST(Precision, HalfIsNoFloat32WhereTheAbsoluteToleranceIsWide) {
  // Each result is near 1/1000, which 1e-5 does not tell from its neighbours in float16.
  const char* args = "((T([40, 1000], f32), -1, False), {})";
  const Kernel half = [](const Stack& a) -> Stack {
    return {a[0].toTensor().to(at::kHalf).softmax(-1).to(at::kFloat)};
  };
  EXPECT_EQ(passes(checks("aten::_softmax", args, half)), 0);
  const Kernel single = [](const Stack& a) -> Stack {
    const at::Tensor e = a[0].toTensor().exp();
    return {e.div(serialSum(e, 1).unsqueeze(1))};
  };
  EXPECT_EQ(passes(checks("aten::_softmax", args, single)), 4);
}

TEST(Precision, HalfKernelsThatAddInFloat32Pass) {
  for (const char* type : {"f16", "bf16"}) {
    const auto args = [&](const char* text) {
      std::string all = text;
      for (std::size_t at = 0; (at = all.find('?', at)) != std::string::npos;) all.replace(at, 1, type);
      return all;
    };
    const Kernel sum = [](const Stack& a) -> Stack {
      return {serialSum(a[0].toTensor().to(at::kFloat), 1).to(a[0].toTensor().scalar_type())};
    };
    EXPECT_EQ(passes(checks("aten::sum.dim_IntList", args("((T([50, 8192], ?), [1]), {})").c_str(), sum)), 4)
        << type;
    const Kernel mm = [](const Stack& a) -> Stack {
      const at::Tensor x = a[0].toTensor().to(at::kFloat), y = a[1].toTensor().to(at::kFloat);
      return {serialSum(x.unsqueeze(2).mul(y), 1).to(a[0].toTensor().scalar_type())};
    };
    EXPECT_EQ(passes(checks("aten::mm", args("((T([20, 3000], ?), T([3000, 10], ?)), {})").c_str(), mm)), 4)
        << type;
  }
}

}  // namespace
}  // namespace wb
