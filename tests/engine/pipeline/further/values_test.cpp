// SPDX-License-Identifier: Apache-2.0
// A kernel is asked with other values and numbers than its job names.
#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/check/further/other_values.h"
#include "core/engine/check/further/own_values.h"
#include "tests/engine/pipeline/further/questioned.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(FurtherQuestions, AnswersThatWereKnownBeforeAreWrong) {
  std::vector<float> known;
  const CaseCheck check = checked([&](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    const auto first = self.flatten()[0].item<float>();
    if (known.empty()) known.push_back(first);
    return {first == known.front() ? self.clamp_min(0) : at::zeros_like(self)};
  });
  EXPECT_EQ(check.verdict, Verdict::mismatch);
  EXPECT_THAT(check.message,
              AllOf(StartsWith("right with the contents that everybody knows"), HasSubstr("--seed 7)")));
}

constexpr const char* twoTensors = "((T([8, 16], f32), T([8, 16], f32)), {})";

TEST(FurtherQuestions, AnArgumentThatNoCaseGivesIsAskedForToo) {
  const auto forgets = [](const Stack& a) -> Stack { return {a[0].toTensor() + a[1].toTensor()}; };
  const CaseCheck wrong = checked(forgets, longEnough, "aten::add.Tensor", twoTensors);
  EXPECT_EQ(wrong.verdict, Verdict::pass) << wrong.message;
  EXPECT_THAT(wrong.elsewhere, StartsWith("wrong with another number: alpha = "));
  const auto takes = [](const Stack& a) -> Stack {
    return {at::add(a[0].toTensor(), a[1].toTensor(), a[2].toScalar())};
  };
  EXPECT_EQ(checked(takes, longEnough, "aten::add.Tensor", twoTensors).elsewhere, "");
}

TEST(FurtherQuestions, OneThatTakesNoNoticeOfWhatIsGivenIsSaidTo) {
  const auto squares = [](const Stack& a) -> Stack { return {a[0].toTensor().square()}; };
  const char* squared = "((T([8, 16], f32), 2), {})";
  EXPECT_THAT(checked(squares, longEnough, "aten::pow.Tensor_Scalar", squared).elsewhere,
              StartsWith("wrong with another number: exponent = "));
  const auto powers = [](const Stack& a) -> Stack { return {at::pow(a[0].toTensor(), a[1].toScalar())}; };
  EXPECT_EQ(checked(powers, longEnough, "aten::pow.Tensor_Scalar", squared).elsewhere, "");
}

TEST(FurtherQuestions, ValuesMayAllHaveOneSign) {
  constexpr const char* rows = "((T([64, 128], f32), [1]), {})";
  const auto beginsWithZero = [](const Stack& a) -> Stack { return {a[0].toTensor().amax(1).clamp_min(0)}; };
  EXPECT_THAT(checked(beginsWithZero, longEnough, "aten::amax", rows).elsewhere,
              HasSubstr("wrong with other values: all of them negative"));
  const auto begins = [](const Stack& a) -> Stack { return {a[0].toTensor().amax(1)}; };
  EXPECT_EQ(checked(begins, longEnough, "aten::amax", rows).elsewhere, "");
  const auto needsNegative = [](const Stack& a) -> Stack {
    const at::Tensor& self = a[0].toTensor();
    return {at::silu(self) * (self < 0).any().to(self.scalar_type())};
  };
  EXPECT_EQ(checked(needsNegative, longEnough, "aten::silu", "((T([64, 128], f32),), {})").elsewhere,
            "wrong with other values: none of them negative");
}

TEST(FurtherQuestions, OneThatTakesWholeNumbersAloneIsSaidTo) {
  const auto whole = [](const Stack& a) -> Stack {
    return {at::add(a[0].toTensor(), a[1].toTensor(), a[2].toScalar().toLong())};
  };
  EXPECT_THAT(checked(whole, longEnough, "aten::add.Tensor", twoTensors).elsewhere,
              StartsWith("wrong with another number: alpha = "));
  // Beside whole numbers there is no other.
  constexpr const char* twoWhole = "((T([8, 16], i32), T([8, 16], i32)), {})";
  EXPECT_EQ(checked(whole, longEnough, "aten::add.Tensor", twoWhole).elsewhere, "");
  const auto forgets = [](const Stack& a) -> Stack { return {a[0].toTensor() + a[1].toTensor()}; };
  EXPECT_EQ(checked(forgets, longEnough, "aten::add.Tensor", twoWhole).elsewhere,
            "wrong with another number: alpha = 2");
}

TEST(FurtherQuestions, WhatMakesNoNumberOfNegativeOnesIsAskedAboutTheOthers) {
  constexpr const char* one = "((T([64, 128], f32),), {})";
  const auto clipped = [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_max(8).log()}; };
  EXPECT_THAT(checked(clipped, longEnough, "aten::log", one).elsewhere,
              StartsWith("wrong with other values"));
  for (const char* op : {"aten::log", "aten::sqrt", "aten::rsqrt", "aten::acos"}) {
    const auto right = [op](const Stack& a) -> Stack {
      const at::Tensor& self = a[0].toTensor();
      const std::string name = op;
      return {name == "aten::log"     ? self.log2() * std::log(2.0)
              : name == "aten::sqrt"  ? self.sqrt()
              : name == "aten::rsqrt" ? self.sqrt().reciprocal()
                                      : at::acos(self)};
    };
    EXPECT_EQ(checked(right, longEnough, op, one).elsewhere, "") << op;
  }
}

TEST(FurtherQuestions, OneThatTakesNoNoticeOfAWordIsSaidTo) {
  const char* divided = "((T([8, 16], f32), T([8, 16], f32)), {'rounding_mode': 'floor'})";
  const auto floors = [](const Stack& a) -> Stack {
    return {at::div(a[0].toTensor(), a[1].toTensor(), "floor")};
  };
  EXPECT_EQ(checked(floors, longEnough, "aten::div.Tensor_mode", divided).elsewhere,
            "wrong with another word: rounding_mode = 'trunc'");
  const auto takes = [](const Stack& a) -> Stack {
    return {at::div(a[0].toTensor(), a[1].toTensor(), a[2].toStringView())};
  };
  EXPECT_EQ(checked(takes, longEnough, "aten::div.Tensor_mode", divided).elsewhere, "");
}

TEST(FurtherQuestions, OneThatTakesNoNoticeOfATensorThatIsLeftOutIsSaidTo) {
  const char* noBias = "((T([8, 16], f32), T([4, 16], f32)), {})";
  const auto forgets = [](const Stack& a) -> Stack { return {at::linear(a[0].toTensor(), a[1].toTensor())}; };
  EXPECT_EQ(checked(forgets, longEnough, "aten::linear", noBias).elsewhere, "wrong with a tensor for 'bias'");
  const auto takes = [](const Stack& a) -> Stack {
    return {at::linear(a[0].toTensor(), a[1].toTensor(), a[2].toOptional<at::Tensor>())};
  };
  EXPECT_EQ(checked(takes, longEnough, "aten::linear", noBias).elsewhere, "");
}

TEST(FurtherQuestions, OneThatHasFewerBitsThanItsTypeIsSaidTo) {
  const auto narrow = [](const Stack& a) -> Stack {
    return {a[0].toTensor().to(at::kShort).sum(1).to(at::kShort).to(at::kLong)};
  };
  const auto whole = [](const Stack& a) -> Stack { return {a[0].toTensor().sum(1)}; };
  const char* numbers = "((T([8, 16], i64), [1]), {})";
  EXPECT_THAT(checked(narrow, longEnough, "aten::sum.dim_IntList", numbers).elsewhere,
              HasSubstr("whole numbers that take more bits"));
  EXPECT_EQ(checked(whole, longEnough, "aten::sum.dim_IntList", numbers).elsewhere, "");
}

TEST(FurtherQuestions, OneThatLooksAtAPartOfItsElementsIsSaidTo) {
  const auto part = [](const Stack& a) -> Stack {
    const at::Tensor all = a[0].toTensor();
    return {all.slice(1, 0, all.size(1), 2)
                .to(at::kDouble)
                .square()
                .mean(1)
                .mul(all.size(1))
                .sqrt()
                .to(all.scalar_type())};
  };
  EXPECT_THAT(
      checked(part, longEnough, "aten::linalg_vector_norm", "((T([2, 65536], bf16), 2, [1]), {})").elsewhere,
      HasSubstr("with other values: one of about"));
}

TEST(FurtherQuestions, AKernelThatNeedsLongForEachShapeIsAskedForOtherValuesToo) {
  std::set<std::int64_t> known;
  const auto slow = [known](const Stack& a) mutable -> Stack {
    const at::Tensor& self = a[0].toTensor();
    const double began = workedSeconds();
    while (!known.contains(self.numel()) && workedSeconds() - began < 0.5) {
    }
    known.insert(self.numel());
    return {self.clamp(0, 100)};
  };
  EXPECT_THAT(checked(slow).elsewhere, HasSubstr("with other values: up to"));
}

TEST(FurtherQuestions, AKernelThatRefusesOtherNumbersIsNotWrong) {
  const auto refuses = [](const Stack& a) -> Stack {
    if (!a[2].toScalar().equal(1)) throw std::runtime_error("alpha has to be 1");
    return {a[0].toTensor() + a[1].toTensor()};
  };
  EXPECT_EQ(checked(refuses, longEnough, "aten::add.Tensor", twoTensors).elsewhere, "");
}

TEST(FurtherQuestions, OneThatTakesInfinitiesForNumbersIsSaidTo) {
  const auto bounded = [](const Stack& a) -> Stack {
    return {at::nan_to_num(relu(a)[0].toTensor(), 0, 1e30, -1e30)};
  };
  EXPECT_EQ(checked(bounded).elsewhere, "wrong with other values: infinities among them");
  const auto noNumbers = [](const Stack& a) -> Stack {
    const at::Tensor right = relu(a)[0].toTensor();
    return {at::where(right.isinf(), right - right, right)};
  };
  EXPECT_EQ(checked(noNumbers).elsewhere, "") << "that is how many an honest formula ends";
}

TEST(FurtherQuestions, OneThatBeginsAMaximumWithALargeNumberIsNotSaidToBeWrong) {
  const auto lowest = [](const Stack& a) -> Stack { return {a[0].toTensor().amax(1).clamp_min(-3e38)}; };
  EXPECT_EQ(checked(lowest, longEnough, "aten::amax", "((T([1000, 1], f32), [1]), {})").elsewhere, "");
}

TEST(FurtherQuestions, OneThatIsRightForValuesOfTheSuiteAloneIsSaidToBe) {
  const auto limited = [](const Stack& arguments) -> Stack {
    const at::Tensor right = arguments[0].toTensor().clamp_min(0);
    return {at::where(right > 50, at::zeros_like(right), right)};
  };
  EXPECT_THAT(checked(limited).elsewhere, HasSubstr("wrong with other values: up to"));
  const auto careless = [](const Stack& arguments) -> Stack {
    const at::Tensor self = arguments[0].toTensor(), right = self.pow(20);
    return {at::where(self.abs() < 0.55, at::zeros_like(right), right)};
  };
  const CaseCheck check =
      checked(careless, longEnough, "aten::pow.Tensor_Scalar", "((T([64, 64], f32), 20), {})");
  EXPECT_EQ(check.verdict, Verdict::pass) << "the tolerance takes it";
  EXPECT_THAT(check.elsewhere, HasSubstr("wrong with other values: about 8 times as small"));
}

TEST(FurtherQuestions, OneThatRoundsHalvesUpIsSaidTo) {
  const auto up = [](const Stack& a) -> Stack { return {(a[0].toTensor() + 0.5).floor()}; };
  const auto even = [](const Stack& a) -> Stack { return {a[0].toTensor().round()}; };
  const char* const args = "((T([64, 64], f32),), {})";
  EXPECT_EQ(checked(up, longEnough, "aten::round", args).elsewhere,
            "wrong with other values: multiples of one half, many of them equal");
  EXPECT_EQ(checked(even, longEnough, "aten::round", args).elsewhere, "");
}

TEST(FurtherQuestions, OneThatFindsTheLastOfEqualNumbersIsSaidTo) {
  const auto last = [](const Stack& a) -> Stack {
    const at::Tensor self = a[0].toTensor();
    return {self.size(1) - 1 - self.flip({1}).argmax(1)};
  };
  EXPECT_EQ(checked(last, longEnough, "aten::argmax", "((T([64, 64], f32), 1), {})").elsewhere,
            "wrong with other values: multiples of one half, many of them equal");
}

TEST(FurtherQuestions, SquaresThatOverflowAreSaidToOfElementWiseOperators) {
  const auto squares = [](const Stack& a) -> Stack {
    return {(a[0].toTensor().square() + a[1].toTensor().square()).sqrt()};
  };
  EXPECT_EQ(checked(squares, longEnough, "aten::hypot", twoTensors).elsewhere,
            "wrong with other values: so large that their squares overflow");
}

TEST(FurtherQuestions, WhatIsAddedToOneBeforeItsLogarithmIsLost) {
  const auto lost = [](const Stack& a) -> Stack { return {(a[0].toTensor() + 1).log()}; };
  EXPECT_EQ(checked(lost, longEnough, "aten::log1p").elsewhere,
            "wrong with other values: about 2^30 times as small");
}

TEST(OwnValues, WhatLooksDrawnChangesAndAMaskStays) {
  const at::Tensor drawn = at::rand({64, 32}), mask = (at::rand({64, 32}) < 0.5).to(at::kFloat);
  const auto signs = changedOwn({drawn, mask}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(signs);
  EXPECT_TRUE((*signs)[0].toTensor().abs().equal(drawn));
  EXPECT_TRUE((*signs)[0].toTensor().lt(0).any().item<bool>());
  EXPECT_TRUE((*signs)[1].toTensor().equal(mask));
  EXPECT_FALSE(changedOwn({mask}, OwnValues::negative, 0, 1));
  EXPECT_FALSE(changedOwn({drawn - 0.5}, OwnValues::negative, 0, 1)) << "there are some already";
  EXPECT_FALSE(changedOwn({drawn.to(at::kHalf)}, OwnValues::large, 8, 1)) << "it has no room for them";
  const auto halves = changedOwn({drawn}, OwnValues::halves, 0, 1);
  ASSERT_TRUE(halves);
  EXPECT_FALSE((*halves)[0].toTensor().eq(0).any().item<bool>()) << "somebody may divide by it";
}

TEST(OwnValues, OfBothSignsOneIsLeft) {
  const at::Tensor both = at::randn({64, 32});
  const auto below = changedOwn({both}, OwnValues::allNegative, 0, 1);
  ASSERT_TRUE(below);
  EXPECT_TRUE((*below)[0].toTensor().equal(-(both.abs() + typicalSize(both) / 2)));
  EXPECT_LT((*below)[0].toTensor().max().item<double>(), -0.2) << "none is next to zero";
  const auto above = changedOwn({both}, OwnValues::noneNegative, 0, 1);
  ASSERT_TRUE(above);
  EXPECT_TRUE((*above)[0].toTensor().equal(both.abs()));
  EXPECT_FALSE(changedOwn({both.abs()}, OwnValues::allNegative, 0, 1)) << "they are meant to be so";
}

TEST(OwnValues, WhatVariesAlongADimensionHasALargePartThatDoesNot) {
  const at::Tensor steps = at::randn({4, 64, 32});
  const auto steady = changedOwn({steps}, OwnValues::steady, 4, 1);
  ASSERT_TRUE(steady);
  const at::Tensor added = (*steady)[0].toTensor() - steps;
  EXPECT_TRUE(at::allclose(added, (16 * steps[0][0]).expand_as(added), 1e-3, 1e-3));
  EXPECT_FALSE(changedOwn({at::randn({64, 32})}, OwnValues::steady, 4, 1)) << "its rows are no steps";
  EXPECT_FALSE(changedOwn({at::randn({0, 64, 32})}, OwnValues::steady, 4, 1));
}

TEST(OwnValues, RowsThatWereMadeToHaveOneSumStay) {
  const at::Tensor directions = at::randn({64, 256});
  EXPECT_FALSE(mayBeOthers(directions.softmax(1)));
  EXPECT_FALSE(mayBeOthers(directions / directions.norm(2, 1, true)));
  EXPECT_TRUE(mayBeOthers(at::rand({16, 65536}))) << "long rows have nearly the same sum by themselves";
  EXPECT_TRUE(mayBeOthers(at::randn({1, 256}) * (1 + 1e-5 * at::randn({64, 256})))) << "as copies have";
}

TEST(OwnValues, OfMillionsTheSignsOfTheFirstComeAgain) {
  constexpr std::int64_t many = std::int64_t{5} << 20, half = many / 2;
  const auto signs = changedOwn({at::rand({many})}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(signs);
  const at::Tensor all = (*signs)[0].toTensor().lt(0);
  for (const at::Tensor& part : {all.slice(0, 0, half), all.slice(0, half, many)})
    EXPECT_NEAR(static_cast<double>(part.sum().item<std::int64_t>()), 0.5 * half, 0.01 * half);
}

TEST(OwnValues, FewNumbersAreOthersTooWhereTheyAreDrawn) {
  const at::Tensor few = at::rand({4, 4}) + 0.1;
  const auto signs = changedOwn({few}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(signs);
  EXPECT_TRUE(at::equal((*signs)[0].toTensor().abs(), few));
  EXPECT_LT((*signs)[0].toTensor().min().item<float>(), 0);
  EXPECT_FALSE(changedOwn({at::rand({15})}, OwnValues::negative, 0, 1))
      << "nobody can say that they are drawn";
  EXPECT_FALSE(changedOwn({at::arange(1, 17, at::kFloat)}, OwnValues::negative, 0, 1)) << "they rise";
}

TEST(OwnValues, ComplexNumbersGetOtherDirectionsAndKeepTheirSizes) {
  const at::Tensor real = at::complex(at::rand({8, 64}) + 1, at::zeros({8, 64}));
  const auto turned = changedOwn({real}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(turned);
  const at::Tensor others = (*turned)[0].toTensor();
  EXPECT_TRUE(at::allclose(others.abs(), real.abs()));
  EXPECT_GT(at::imag(others).abs().max().item<float>(), 0.9);
  EXPECT_TRUE(at::allclose((*changedOwn({real}, OwnValues::large, 8, 1))[0].toTensor(), real * 256));
  const at::Tensor moved = withOtherLastBits({real}, 1)[0].toTensor();
  EXPECT_TRUE(at::allclose(moved, real));
  EXPECT_FALSE(at::equal(moved, real));
}

TEST(OwnValues, PositionsAndSegmentsGetAnotherOrder) {
  const at::Tensor positions = at::arange(64), segments = positions.div(4, "floor"), offsets = positions * 4;
  const auto shuffled = withOtherOrder({positions}, 0, 1);
  ASSERT_TRUE(shuffled);
  EXPECT_FALSE(at::equal((*shuffled)[0].toTensor(), positions));
  EXPECT_TRUE(at::equal(std::get<0>((*shuffled)[0].toTensor().sort()), positions));
  const auto mixed = withOtherOrder({segments}, 0, 1, Ordered::segments);
  ASSERT_TRUE(mixed);
  EXPECT_FALSE(at::equal((*mixed)[0].toTensor(), segments));
  EXPECT_TRUE(at::equal(std::get<0>((*mixed)[0].toTensor().sort()), segments));
  EXPECT_FALSE(withOtherOrder({segments}, 0, 1)) << "they do not follow each other";
  EXPECT_FALSE(withOtherOrder({positions}, 0, 1, Ordered::segments)) << "there is one of each";
  EXPECT_FALSE(withOtherOrder({at::zeros({64}, at::kLong)}, 0, 1, Ordered::segments));
  for (const Ordered ordered : {Ordered::positions, Ordered::segments})
    EXPECT_FALSE(withOtherOrder({offsets}, 0, 1, ordered)) << "in another order they are none";
}

TEST(OwnValues, WhatIsDrawnBesideZerosGetsSigns) {
  const at::Tensor positive = at::randn({64, 32}).clamp_min(0);
  const auto signs = changedOwn({positive}, OwnValues::negative, 0, 1);
  ASSERT_TRUE(signs);
  EXPECT_TRUE((*signs)[0].toTensor().abs().equal(positive));
  EXPECT_TRUE((*signs)[0].toTensor().lt(0).any().item<bool>());
  EXPECT_FALSE(changedOwn({positive}, OwnValues::large, 8, 1)) << "what comes so often has its place";
  EXPECT_FALSE(changedOwn({at::eye(64)}, OwnValues::negative, 0, 1));
}

TEST(OwnValues, WhatNumbersHaveInCommonIsGone) {
  const at::Tensor sorted = std::get<0>(at::rand({64, 32}).sort()), mask = at::tril(at::ones({32, 32}));
  const auto others = withLessInCommon({sorted, mask, at::tensor({2.0}), at::arange(4)}, 1);
  ASSERT_TRUE(others);
  const at::Tensor less = (*others)[0].toTensor();
  EXPECT_TRUE(less.le(sorted).logical_and(less.ge(sorted * 0.249)).all().item<bool>());
  EXPECT_FALSE(less.equal(std::get<0>(less.sort())));
  EXPECT_TRUE((*others)[1].toTensor().ne(0).equal(mask.ne(0)));
  EXPECT_EQ((*others)[2].toTensor().item<double>(), 2) << "a number alone has nothing in common";
  EXPECT_TRUE((*others)[3].toTensor().equal(at::arange(4)));
  EXPECT_FALSE(withLessInCommon({at::arange(4)}, 1));
}

TEST(OwnValues, AllThatHaveTheRowsOfTheFirstHaveTwiceAsMany) {
  const auto more = withMoreRows({at::rand({8, 4}), at::rand({4, 8}), at::arange(8), 3.0});
  ASSERT_TRUE(more);
  EXPECT_EQ((*more)[0].toTensor().sizes(), at::IntArrayRef({16, 4}));
  EXPECT_EQ((*more)[1].toTensor().sizes(), at::IntArrayRef({4, 8}));
  EXPECT_EQ((*more)[2].toTensor().numel(), 16);
  EXPECT_FALSE(withMoreRows({at::rand({0, 4})}));
  EXPECT_FALSE(withMoreRows({3.0}));
}

TEST(OtherValues, TruthsAndLevelsAreFarOffWhereManyAreOthers) {
  const at::Tensor truths = at::rand({64, 64}) < 0.5, levels = at::randint(0, 3, {64, 64});
  EXPECT_TRUE(farOffResults({truths}, {truths}, OtherValues::mixed).empty());
  EXPECT_FALSE(farOffResults({truths.logical_not()}, {truths}, OtherValues::mixed).empty());
  at::Tensor one = truths.clone();
  one[0][0].logical_not_();
  EXPECT_TRUE(farOffResults({one}, {truths}, OtherValues::mixed).empty()) << "rounding may decide one";
  EXPECT_FALSE(farOffResults({(levels - 1).abs()}, {levels}, OtherValues::mixed).empty());
  at::Tensor some = levels.clone();
  some[0] += 1;
  EXPECT_TRUE(farOffResults({some}, {levels}, OtherValues::mixed).empty()) << "some are rounded otherwise";
}

TEST(OtherValues, ComplexNumbersAreOthersInBothParts) {
  const auto capped = [](const Stack& a) -> Stack {
    const at::Tensor parts = at::view_as_real(a[0].toTensor());
    return {parts.square().clamp_max(1e4).sum(-1).sqrt()};
  };
  EXPECT_EQ(checked(capped, longEnough, "aten::abs", "((T([8, 16], c64),), {})").elsewhere,
            "wrong with other values: up to 4096 times as large");
  const auto plain = [](const Stack& a) -> Stack {
    return {at::view_as_real(a[0].toTensor()).square().sum(-1).sqrt()};
  };
  EXPECT_EQ(checked(plain, longEnough, "aten::abs", "((T([8, 16], c64),), {})").elsewhere, "");
}

TEST(OwnValues, WhatIsNoNumberIsNotEverywhere) {
  const at::Tensor numbers = at::rand({64, 64});
  const auto changed = changedOwn({numbers}, OwnValues::none, 0, 1);
  ASSERT_TRUE(changed);
  const at::Tensor none = (*changed)[0].toTensor().isnan();
  EXPECT_NEAR(none.to(at::kFloat).mean().item<float>(), 1.0 / 16, 0.03);
  EXPECT_TRUE(at::equal((*changed)[0].toTensor().masked_fill(none, 0), numbers.masked_fill(none, 0)));
}

TEST(OtherValues, ComplexAnswersAreFarOffByTheirParts) {
  const at::Tensor right = at::randn({64, 64}, at::kComplexFloat), conjugate = right.conj();
  EXPECT_FALSE(isFarOff({right * 1.0001}, {right}, OtherValues::mixed));
  EXPECT_TRUE(isFarOff({conjugate}, {right}, OtherValues::mixed));
  EXPECT_TRUE(isFarOff({at::real(right)}, {right}, OtherValues::mixed));
}

TEST(OtherValues, TheTypicalSizeOfMillionsIsThatOfSomeOfThem) {
  EXPECT_NEAR(typicalSize(at::linspace(-1, 1, std::int64_t{5} << 20)), 0.5, 1e-3);
  EXPECT_EQ(typicalSize(at::tensor({3.0, -2.0, 1.0})), 2);
}

TEST(OtherValues, AnAnswerWithinRoundingIsNotFarOff) {
  const at::Tensor right = at::linspace(1, 2, 1000, at::kFloat);
  const Stack expected{right}, close{right * 1.01}, off{right * 1.5};
  EXPECT_FALSE(isFarOff(close, expected, OtherValues::large));
  EXPECT_TRUE(isFarOff(off, expected, OtherValues::large));
  EXPECT_TRUE(isFarOff({at::zeros_like(right)}, expected, OtherValues::small));
}

}  // namespace
}  // namespace wb
