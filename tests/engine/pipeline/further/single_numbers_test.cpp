// SPDX-License-Identifier: Apache-2.0
// Whether a kernel looks at all of an input is seen where single numbers of it outweigh all others.
#include "core/engine/check/further/problems/single_numbers.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/engine/check/further/own_values.h"

namespace wb {
namespace {

/// The same numbers each time.
at::Tensor normal(at::IntArrayRef sizes) {
  return at::randn(sizes, at::detail::createCPUGenerator(1));
}

using Side = std::function<at::Tensor(const at::Tensor&)>;

constexpr int muchLarger = 40, somewhatLarger = 12;

at::Tensor larger(const at::Tensor& tensor, const SingleNumbers& numbers, int octaves = muchLarger) {
  return (*withLarger({tensor}, numbers, octaves))[0].toTensor();
}

/// Whether some choice shows that the kernel takes no notice of what the reference looks at. `hasFloat64`:
/// the reference can be asked in it.
bool isFoundOut(const at::Tensor& input, const Side& kernel, const Side& reference, int octaves,
                bool hasFloat64) {
  const std::vector<SingleNumbers> choices = choicesOf({input}, 5);
  return std::any_of(choices.begin(), choices.end(), [&](const SingleNumbers& numbers) {
    const at::Tensor changed = larger(input, numbers, octaves);
    const AskedAgain again{
        .withOtherBits =
            [&](std::uint64_t seed) {
              return std::optional(Stack{reference(withOtherLastHalves({changed}, seed)[0].toTensor())});
            },
        .kernelWithOtherBits =
            [&](std::uint64_t seed) {
              return std::optional(Stack{kernel(withOtherLastHalves({changed}, seed)[0].toTensor())});
            },
        .inFloat64 =
            [&] {
              return hasFloat64 ? std::optional(Stack{reference(changed.to(at::kDouble))}) : std::nullopt;
            },
        .losesNothing = octaves == somewhatLarger};
    return takesNoNotice({{kernel(input)}, {kernel(changed)}}, {{reference(input)}, {reference(changed)}},
                         again);
  });
}

/// The same in each way in which it is asked.
bool isFoundOut(const at::Tensor& input, const Side& kernel, const Side& reference) {
  return isFoundOut(input, kernel, reference, muchLarger, false) ||
         isFoundOut(input, kernel, reference, muchLarger, true) ||
         isFoundOut(input, kernel, reference, somewhatLarger, false) ||
         isFoundOut(input, kernel, reference, somewhatLarger, true);
}

TEST(SingleNumbers, AreOneOfEachRowOrColumnOrOfAll) {
  const at::Tensor matrix = at::rand({64, 32}) + 0.5;
  std::set<std::vector<std::int64_t>> along;
  for (const SingleNumbers& each : choicesOf({matrix}, 1)) {
    along.insert(each.along);
    const at::Tensor chosen = larger(matrix, each).ne(matrix);
    EXPECT_TRUE(chosen.sum(each.along).eq(1).all().item<bool>());
  }
  EXPECT_EQ(along, (std::set<std::vector<std::int64_t>>{{0}, {1}, {0, 1}}));
}

TEST(SingleNumbers, AMaskIsLeftAloneAndAZeroStays) {
  EXPECT_TRUE(choicesOf({(at::rand({64, 32}) < 0.5).to(at::kFloat), 2}, 1).empty());
  at::Tensor some = at::rand({64, 32});
  some.select(1, 7).zero_();
  for (const SingleNumbers& each : choicesOf({some}, 1))
    EXPECT_TRUE(larger(some, each).select(1, 7).eq(0).all().item<bool>());
  EXPECT_FALSE(withLarger({at::rand({64, 32}).to(at::kHalf)}, {0, 0, {0}, 1}, muchLarger))
      << "it has no room";
}

TEST(SingleNumbers, AreThoseOfTheTensorsInAListToo) {
  const c10::List<at::Tensor> list({at::rand({16, 32}), at::rand({16, 32})});
  const std::vector<SingleNumbers> choices = choicesOf({list}, 1);
  for (const std::size_t item : {0U, 1U})
    EXPECT_TRUE(std::ranges::any_of(choices, [&](const SingleNumbers& each) { return each.item == item; }));
  const auto changed = withLarger({list}, {0, 1, {0}, 1}, muchLarger);
  ASSERT_TRUE(changed);
  const c10::List<at::Tensor> others = (*changed)[0].toTensorList();
  EXPECT_TRUE(at::equal(others.get(0), list.get(0)));
  EXPECT_FALSE(at::equal(others.get(1), list.get(1)));
}

TEST(SingleNumbers, WhoLeavesOutAPartIsFoundOut) {
  const at::Tensor input = normal({64, 256});
  const Side sum = [](const at::Tensor& x) { return x.sum(1); };
  EXPECT_FALSE(isFoundOut(input, sum, sum));
  const Side oneColumn = [](const at::Tensor& x) { return x.select(1, 3); };
  const Side everySecond = [](const at::Tensor& x) { return x.slice(1, 0, 256, 2).sum(1) * 2; };
  const Side butTheLast = [](const at::Tensor& x) { return x.slice(1, 0, 255).sum(1); };
  const Side firstForAll = [](const at::Tensor& x) { return x.sum(1).select(0, 0).repeat(64); };
  for (const Side& each : {oneColumn, everySecond, butTheLast, firstForAll})
    EXPECT_TRUE(isFoundOut(input, each, sum, muchLarger, false));
}

TEST(SingleNumbers, WhereTheAnswerHasBoundsFloat64OrFewerOctavesTell) {
  const at::Tensor input = normal({64, 256});
  const Side whole = [](const at::Tensor& x) { return x.sum(1).tanh(); };
  const Side part = [](const at::Tensor& x) { return x.slice(1, 0, 255).sum(1).tanh(); };
  const Side scaled = [](const at::Tensor& x) { return x / x.norm(2, {1}, true); };
  const Side halfScaled = [](const at::Tensor& x) {
    return x / (x.slice(1, 0, 256, 2).norm(2, {1}, true) * std::sqrt(2.0));
  };
  EXPECT_TRUE(isFoundOut(input, part, whole, muchLarger, true));
  EXPECT_TRUE(isFoundOut(input, halfScaled, scaled, somewhatLarger, false));
}

TEST(SingleNumbers, WhoeverAddsUpInAnotherWayIsNot) {
  const at::Tensor input = normal({16, 256});
  const Side windows = [](const at::Tensor& x) { return x.unfold(1, 4, 1).sum(2); };
  const Side differences = [](const at::Tensor& x) {
    const at::Tensor sums = x.cumsum(1);
    return at::cat({sums.slice(1, 3, 4), sums.slice(1, 4) - sums.slice(1, 0, 252)}, 1);
  };
  const Side inShort = [](const at::Tensor& x) {
    return x.to(at::kHalf).unfold(1, 4, 1).sum(2).to(at::kFloat);
  };
  EXPECT_FALSE(isFoundOut(input, differences, windows));
  EXPECT_FALSE(isFoundOut(input, windows, differences)) << "what moves the reference is rounding";
  EXPECT_FALSE(isFoundOut(input, inShort, windows)) << "it overflows";
}

/// Numbers of float32 as TF32 has them.
at::Tensor cut(const at::Tensor& x) {
  return x.contiguous().view(at::kInt).bitwise_and(~0x1fff).view(at::kFloat);
}

TEST(SingleNumbers, WhoeverCutsTheNumbersOfAProductOtherwiseThanTheReferenceIsNot) {
  const at::Tensor input = at::rand({8, 8192, 8}, at::detail::createCPUGenerator(1));
  const at::Tensor weight = normal({8, 256});
  const Side rounds = [&](const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? x.matmul(weight.to(at::kDouble))
                                          : cut(x * (1 + 0x1p-12)).matmul(cut(weight * (1 + 0x1p-12)));
  };
  const Side cuts = [&](const at::Tensor& x) { return cut(x).matmul(cut(weight)); };
  EXPECT_FALSE(isFoundOut(input, cuts, rounds, muchLarger, false));
}

TEST(SingleNumbers, WhoeverMultipliesInAnotherOrderLosesOtherSmallNumbers) {
  const Side inOrder = [](const at::Tensor& x) { return x.cumprod(1); };
  const Side byHalves = [](const at::Tensor& x) {
    at::Tensor y = x;
    for (std::int64_t step = 1; step < x.size(1); step *= 2) {
      const at::Tensor before = y.slice(1, 0, x.size(1) - step);
      y = at::cat({y.slice(1, 0, step), y.slice(1, step) * before}, 1);
    }
    return y;
  };
  const at::Tensor input = at::rand({512, 2048}, at::detail::createCPUGenerator(1));
  EXPECT_FALSE(isFoundOut(input, byHalves, inOrder));
}

TEST(SingleNumbers, WhoeverHidesNumbersByOneThatIsNotTheSmallestIsNot) {
  const at::Tensor values = normal({64, 512}), upper = at::ones({64, 64}).triu(1).to(at::kBool);
  const auto attention = [&](double hidden) {
    return [=](const at::Tensor& x) {
      const at::Tensor keys = values.slice(1, 0, 16).to(x.scalar_type());
      const at::Tensor hides = upper.to(x.scalar_type()).mul(hidden);
      const at::Tensor scores = at::where(upper, hides, x.matmul(keys.t()));
      return scores.softmax(-1).matmul(values.to(x.scalar_type()));
    };
  };
  EXPECT_FALSE(isFoundOut(normal({16, 64, 16}), attention(-1e9), attention(-1e30)));
}

TEST(SingleNumbers, WhoeverMakesNothingOfATransformsNoiseIsNot) {
  constexpr std::int64_t length = 512, twice = 2 * length;
  const at::Tensor fades = at::exp(-at::arange(length) / 8.0).mul(normal({4, 1})),
                   input = normal({2, 4, length});
  const Side direct = [=](const at::Tensor& x) {
    const at::Tensor weights = fades.to(x.scalar_type()).flip(1).unsqueeze(1);
    const at::Tensor padded = at::constant_pad_nd(x, {length - 1, 0});
    return at::convolution(padded, weights, {}, {1}, {0}, {1}, false, {0}, 4).clamp_min(0);
  };
  const Side byFourier = [=](const at::Tensor& x) {
    const at::Tensor product = at::fft_rfft(x, twice).mul(at::fft_rfft(fades.to(x.scalar_type()), twice));
    return at::fft_irfft(product, twice).slice(2, 0, length).clamp_min(0);
  };
  EXPECT_FALSE(isFoundOut(input, byFourier, direct));
}

TEST(SingleNumbers, WhoeverWasOnTheOtherSideOfZeroByRoundingIsNot) {
  // Most sums are below zero, and some a rounding error, which is above it for the reference alone.
  at::Tensor input = normal({64, 4});
  input.select(1, 0).abs_().neg_().sub_(8);
  at::Tensor few = input.slice(0, 0, 20);
  few.select(1, 0).neg_();
  few.select(1, 1).abs_().mul_(1e-8).add_(2.6e-7);
  few.select(1, 2).abs_().mul_(1e-8).add_(2.6e-7);
  few.select(1, 3).copy_(few.select(1, 0)).neg_();
  const auto inOrder = [](const at::Tensor& x, std::array<std::int64_t, 4> order) {
    at::Tensor sum = at::zeros_like(x.select(1, 0));
    for (const std::int64_t each : order) sum = sum + x.select(1, each);
    return sum.clamp_min(0);
  };
  const Side kernel = [&](const at::Tensor& x) { return inOrder(x, {0, 1, 2, 3}); };
  const Side reference = [&](const at::Tensor& x) { return inOrder(x, {1, 2, 3, 0}); };
  ASSERT_FALSE(at::equal(kernel(input).gt(0), reference(input).gt(0)));
  EXPECT_FALSE(isFoundOut(input, kernel, reference));
}

TEST(SingleNumbers, WhatTheReferenceTakesNoNoticeOfNobodyNeedsTo) {
  const Side firstHalf = [](const at::Tensor& x) { return x.slice(1, 0, 128).sum(1); };
  const Side firstHalfByRow = [](const at::Tensor& x) {
    return at::stack({x.select(0, 0).slice(0, 0, 128).sum(), x.select(0, 1).slice(0, 0, 128).sum()});
  };
  EXPECT_FALSE(isFoundOut(normal({2, 256}), firstHalfByRow, firstHalf));
}

}  // namespace
}  // namespace wb
