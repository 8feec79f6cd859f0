// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/contents.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

#include "core/suites/literals/literal_parser.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

constexpr std::int64_t all = std::int64_t{1} << 40;

/// The contents of a call of add.
struct Made {
  explicit Made(const std::string& args)
      : bench("aten::add.Tensor", [](const Stack& a) { return a; }),
        kernel(bench.context()),
        definition(bench.definition(args)),
        contents(*Contents::make(kernel, definition, *parseLiteral(args), 7)) {}
  Bench bench;
  KernelContext kernel;
  Case definition;
  Contents contents;
};

at::Tensor first(const InputCopy& copy) {
  return copy.arguments[0].toTensor();
}

TEST(Contents, EveryRenewalHasOtherContentsOfTheSameKind) {
  const Made made("((T([64], f32), T([8, 8], i64, [1, 8])), {})");
  InputCopy copy = made.contents.copy(1);
  std::vector<at::Tensor> seen;
  for (std::uint64_t i = 0; i < 12; ++i) {
    made.contents.renew(copy, i / 4, i, all);
    const at::Tensor second = copy.arguments[1].toTensor();
    EXPECT_EQ(second.strides(), (std::vector<std::int64_t>{1, 8}));
    EXPECT_LE(second.abs().max().item<std::int64_t>(), 9);
    for (const at::Tensor& other : seen) EXPECT_FALSE(other.equal(first(copy)));
    seen.push_back(first(copy).clone());
  }
}

TEST(Contents, SeedsGiveTheSameContentsElsewhere) {
  const Made made("((T([300000], f32), T([300000], f32)), {})");
  InputCopy copy = made.contents.copy(1);
  for (std::uint64_t i = 0; i < 5; ++i) made.contents.renew(copy, i, i, 1 << 18);
  InputCopy other = made.contents.copy(99);
  EXPECT_FALSE(other.arguments[0].toTensor().equal(first(copy)));
  made.contents.repeat(copy.seeds, other);
  EXPECT_TRUE(other.arguments[0].toTensor().equal(first(copy)));
  EXPECT_TRUE(other.arguments[1].toTensor().equal(copy.arguments[1].toTensor()));
}

TEST(Contents, OfALargeTensorAPartIsNewWhereThereIsNoTimeForAll) {
  const Made made("((T([1000000], f32), T([], f32)), {})");
  InputCopy copy = made.contents.copy(1);
  const at::Tensor before = first(copy).clone();
  made.contents.renew(copy, 5, 6, 1 << 20);
  const std::int64_t kept = before.eq(first(copy)).sum().item<std::int64_t>();
  EXPECT_GT(kept, 500000);
  EXPECT_LT(kept, 900000);
}

TEST(Contents, SingleNumbersChangeAllOverWhatIsNotNew) {
  const Made made("((T([4000000], f32), T([], f32)), {})");
  InputCopy copy = made.contents.copy(1), scratch = made.contents.copy(2), other = made.contents.copy(3);
  std::set<std::int64_t> quarters;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const at::Tensor before = first(copy).clone();
    made.contents.renew(copy, i, i + 1, 1);
    const at::Tensor places = before.ne(first(copy)).nonzero().flatten();
    ASSERT_GT(places.numel(), 8) << "a part, or numbers here and there";
    if (places.numel() < 100)
      for (std::int64_t k = 0; k < places.numel(); ++k)
        quarters.insert(places[k].item<std::int64_t>() / 1000000);
    EXPECT_EQ(made.contents.damaged(copy, scratch, nullptr, {}, i, all), "") << i;
    made.contents.repeat(copy.seeds, other);
    EXPECT_TRUE(first(other).equal(first(copy))) << i;
    made.contents.renew(copy, i, i, 0);
    EXPECT_TRUE(first(other).equal(first(copy))) << "nothing was to change";
  }
  EXPECT_EQ(quarters.size(), 4);
}

TEST(Contents, SingleNumbersAreTheLargestAndTheSmallestAndDoNotAddUpToNothing) {
  const Made made("((T([4000000], f32), T([], f32)), {})");
  InputCopy copy = made.contents.copy(1);
  constexpr double farOut = 8;
  std::set<bool> signs;
  for (std::uint64_t i = 0; i < 20; ++i) {
    made.contents.renew(copy, i, i + 1, 1);
    const auto above = first(copy).ge(farOut).sum().item<std::int64_t>(),
               below = first(copy).le(-farOut).sum().item<std::int64_t>();
    EXPECT_GT(above, 0) << i;
    EXPECT_GT(below, 0) << i;
    EXPECT_GE(std::abs(above - below), 10) << i;
    signs.insert(above > below);
  }
  EXPECT_EQ(signs.size(), 2) << "either side is the larger one now and then";
}

TEST(Contents, WhatWasWrittenToIsNewHoweverLittleTimeThereIs) {
  const Made made("((T([1000000], f32), T([40], f32)), {})");
  InputCopy copy = made.contents.copy(1), other = made.contents.copy(2);
  const std::vector<std::size_t> written{0};
  for (std::uint64_t i = 0; i < 8; ++i) {
    first(copy).zero_();
    const at::Tensor small = copy.arguments[1].toTensor();
    small.add_(1);  // as a late change would
    LateChange late;
    late.address = small.mutable_data_ptr();
    late.tensor = 1;
    made.contents.renew(copy, i, i + 1, 1, {late, written});
    made.contents.repeat(copy.seeds, other);
    EXPECT_TRUE(first(other).equal(first(copy))) << i;
    EXPECT_TRUE(other.arguments[1].toTensor().equal(small)) << i;
  }
}

TEST(Contents, OneChangedBitIsNamed) {
  const Made made("((T([4000], f32), T([4000], f32)), {})");
  InputCopy copy = made.contents.copy(1), scratch = made.contents.copy(2);
  EXPECT_EQ(made.contents.damaged(copy, scratch, nullptr, {}, 3, all), "");
  copy.arguments[1].toTensor()[3999].neg_();
  EXPECT_EQ(made.contents.damaged(copy, scratch, nullptr, {}, 3, all), "other");
  EXPECT_EQ(made.contents.damaged(copy, scratch, nullptr, {1}, 3, all), "") << "it may write there";
}

TEST(Contents, ALateChangeIsOneNumberAndNoDamage) {
  const Made made("((T([4000], f32), T([4000], f32)), {})");
  InputCopy copy = made.contents.copy(1), scratch = made.contents.copy(2), other = made.contents.copy(3);
  const at::Tensor before = first(copy).clone(), second = copy.arguments[1].toTensor().clone();
  const LateChange late = made.contents.lateChange(copy, 11);
  ASSERT_NE(late.address, nullptr);
  late.apply();
  EXPECT_EQ(before.ne(first(copy)).sum().item<std::int64_t>() +
                second.ne(copy.arguments[1].toTensor()).sum().item<std::int64_t>(),
            1);
  EXPECT_NE(made.contents.damaged(copy, scratch, nullptr, {}, 3, all), "");
  EXPECT_EQ(made.contents.damaged(copy, scratch, &late, {}, 3, all), "");
  made.contents.repeat(copy.seeds, other);
  made.contents.apply(late, other);
  EXPECT_TRUE(first(other).equal(first(copy)));
}

TEST(Contents, WholeNumbersAreNeverTheSameOnesAtOtherPlacesAlone) {
  const Made made("((T([20000], i8), T([40], i8)), {})");
  const InputCopy copy = made.contents.copy(1), other = made.contents.copy(2);
  const auto counts = [](const InputCopy& of) { return first(of).to(at::kLong).abs().bincount({}, 10); };
  EXPECT_FALSE(counts(copy).equal(counts(other)));
  EXPECT_LE(first(copy).abs().max().item<int>(), 9);
  InputCopy again = made.contents.blank();
  made.contents.repeat(copy.seeds, again);
  EXPECT_TRUE(first(again).equal(first(copy)));
}

TEST(Contents, AWholeNumberChangesLateToo) {
  const Made made("((T([4000], i8), T([4000], i8)), {})");
  InputCopy copy = made.contents.copy(1), scratch = made.contents.copy(2);
  const LateChange late = made.contents.lateChange(copy, 11);
  ASSERT_NE(late.address, nullptr);
  std::set<std::int64_t> sums;
  for (int i = 0; i < 8; ++i) {
    late.apply();
    const at::Tensor changed = copy.arguments[late.tensor].toTensor();
    sums.insert(changed.sum().item<std::int64_t>());
    EXPECT_LE(changed.abs().max().item<int>(), 16);
  }
  EXPECT_EQ(sums.size(), 8);
  LateChange all8 = late;
  all8.times = 8;
  EXPECT_EQ(made.contents.damaged(copy, scratch, &all8, {}, 3, all), "");
}

TEST(Contents, ALateChangeOfAShortNumberShowsInASum) {
  const Made made("((T([65536], bf16), T([65536], bf16)), {})");
  InputCopy copy = made.contents.copy(1), scratch = made.contents.copy(2);
  LateChange late = made.contents.lateChange(copy, 11);
  ASSERT_NE(late.address, nullptr);
  std::set<double> sums;
  for (late.times = 0; late.times < 8; ++late.times) {
    sums.insert(copy.arguments[late.tensor].toTensor().to(at::kDouble).sum().item<double>());
    EXPECT_EQ(late.times == 0 ? "" : made.contents.damaged(copy, scratch, &late, {}, 3, all), "")
        << late.times;
    late.apply();
  }
  ASSERT_EQ(sums.size(), 8);
  EXPECT_GT(*sums.rbegin() - *sums.begin(), 16);
}

TEST(Contents, LateChangesOneAfterTheOtherAreAllDifferent) {
  const Made made("((T([4000], f32), T([4000], f32)), {})");
  InputCopy copy = made.contents.copy(1), again = made.contents.copy(2);
  LateChange late = made.contents.lateChange(copy, 11);
  ASSERT_NE(late.address, nullptr);
  const auto number = [&] { return copy.memory[late.tensor].view(at::kFloat)[late.element].item<float>(); };
  std::set<float> seen{number()};
  for (int i = 1; i < 16; ++i) {
    late.apply();
    for (const float earlier : seen)
      EXPECT_GT(std::abs(number() - earlier), std::abs(earlier) / 40) << "after " << i;
    seen.insert(number());
  }
  late.times = 15;
  made.contents.repeat(copy.seeds, again);
  made.contents.apply(late, again);
  EXPECT_TRUE(again.memory[late.tensor].equal(copy.memory[late.tensor])) << "made as often in another copy";
}

/// The contents of a problem's two inputs.
Contents ownContents(const std::function<Stack(const at::Generator&)>& draw) {
  const std::string args = "((T([16, 32], f32), T([16, 32], f32)), {})";
  Bench bench("aten::matmul", [](const Stack& a) { return a; });
  KernelContext kernel = bench.context();
  kernel.ownInputsVary = true;
  kernel.ownInputs = [&](std::uint64_t seed) -> Result<Stack> {
    return draw(at::detail::createCPUGenerator(seed));
  };
  Case definition = bench.definition(args);
  definition.values = "own";
  return *Contents::make(kernel, definition, *parseLiteral(args), 7);
}

at::Tensor labels(const at::Generator& generator) {
  return at::rand({16, 32}, generator).round();
}

TEST(Contents, LabelsBesideWhatChangesStay) {
  const Contents contents = ownContents([](const at::Generator& from) {
    return Stack{at::randn({16, 32}, from), labels(from)};
  });
  InputCopy copy = contents.copy(1);
  for (std::uint64_t i = 0; i < 5; ++i) {
    const at::Tensor before = first(copy).clone();
    contents.renew(copy, i, i, all);
    EXPECT_FALSE(first(copy).equal(before));
    EXPECT_TRUE(copy.arguments[1].toTensor().equal(contents.drawn()[1].toTensor()));
  }
  copy.arguments[1].toTensor().zero_();
  contents.renew(copy, 5, 5, all);
  EXPECT_TRUE(copy.arguments[1].toTensor().equal(contents.drawn()[1].toTensor()))
      << "what is written to, too";
}

TEST(Contents, LabelsAloneAreThoseOfTwoDrawsInTurns) {
  const Contents contents = ownContents([](const at::Generator& from) {
    return Stack{labels(from), labels(from)};
  });
  InputCopy copy = contents.copy(1);
  int others = 0;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const at::Tensor before = first(copy).clone();
    contents.renew(copy, i, i, all);
    others += first(copy).equal(before) ? 0 : 1;
    EXPECT_TRUE(first(copy).eq(0).logical_or(first(copy).eq(1)).all().item<bool>());
  }
  EXPECT_GT(others, 0);
}

TEST(Contents, NumbersWithAFractionAreMultiplied) {
  const Contents contents = ownContents([](const at::Generator& from) {
    return Stack{at::randn({16, 32}, from), labels(from).mul(0.3)};
  });
  const InputCopy copy = contents.copy(1);
  EXPECT_FALSE(copy.arguments[1].toTensor().equal(contents.drawn()[1].toTensor()));
}

TEST(Contents, KeptContentsStay) {
  Made made("((T([40], f32), T([40], f32)), {})");
  EXPECT_TRUE(made.contents.change());
  made.contents.keepContents();
  EXPECT_FALSE(made.contents.change());
  InputCopy copy = made.contents.copy(1);
  const at::Tensor before = first(copy).clone();
  made.contents.renew(copy, 5, 6, all);
  EXPECT_TRUE(before.equal(first(copy)));
  EXPECT_EQ(made.contents.lateChange(copy, 1).address, nullptr);
}

}  // namespace
}  // namespace wb
