// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/seen_there.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;

/// The reference spends ten microseconds of each call at 100, and five at 200.
const std::vector<HotCode> hot{{100, 1e-5}, {200, 5e-6}};
/// The candidate's calls take as long.
constexpr double took = 2e-5;

std::vector<RanPart> atens(double seconds) {
  return {{std::string(ownedByAten), "aten::mul", 1, seconds}, {std::string(ownedByKernel), "", 1, 1e-3}};
}

/// Three calls of either kind that came to these places.
SeenThere seen(const std::set<std::uint64_t>& observed, const std::set<std::uint64_t>& unobserved,
               double admitted) {
  SeenThere all;
  for (int i = 0; i < 3; ++i) {
    all.addObserved(observed, atens(admitted));
    all.unobserved.add(unobserved);
  }
  return all;
}

TEST(SeenThere, AKernelOfItsOwnIsNotNamed) {
  EXPECT_EQ(hiddenThere(seen({}, {}, 0), hot, "aten::silu", took), "");
  EXPECT_EQ(hiddenThere(seen({100}, {100}, 0), {}, "aten::silu", took), "")
      << "nobody knows the reference's code";
}

TEST(SeenThere, CodeThatOperatorsHaveRunIsNotHidden) {
  EXPECT_EQ(hiddenThere(seen({100, 200}, {100, 200}, 1e-5), hot, "aten::linear", took), "");
}

TEST(SeenThere, AKernelThatNeedsATenthOfTheTimeSpendsLessInTheSameCode) {
  SeenThere quick;
  for (int i = 0; i < 3; ++i) {
    quick.addObserved(
        {100}, {{std::string(ownedByAten), "aten::add", 1, 9e-7}, {std::string(ownedByKernel), "", 1, 1e-7}});
    quick.unobserved.add({100});
  }
  EXPECT_EQ(hiddenThere(quick, hot, "problem::model", 1e-6), "");
}

TEST(SeenThere, CodeThatNoOperatorHasRunIs) {
  EXPECT_EQ(hiddenThere(seen({100, 200}, {100, 200}, 0), hot, "aten::silu", took),
            "the kernel runs torch's own code for aten::silu, past torch's dispatcher");
  EXPECT_THAT(hiddenThere(seen({100}, {100}, 0), hot, "problem::model", took), HasSubstr("its reference"));
}

TEST(SeenThere, ACallOfWhichNothingWasSeenAtAllIs) {
  SeenThere silent;
  for (int i = 0; i < 3; ++i) silent.addObserved({100}, {});
  EXPECT_NE(hiddenThere(silent, hot, "aten::silu", took), "");
}

TEST(SeenThere, CodeThatRunsOnlyWhereNobodyObservesIs) {
  EXPECT_EQ(hiddenThere(seen({200}, {100, 200}, 1e-5), hot, "aten::silu", took),
            "the kernel runs torch's own code for aten::silu when nobody observes it");
}

TEST(SeenThere, OneCallAloneTellsNothing) {
  SeenThere once;
  once.addObserved({100}, atens(0));
  once.unobserved.add({100});
  EXPECT_EQ(hiddenThere(once, hot, "aten::silu", took), "");
}

TEST(SeenThere, AnOperatorThatWasInterruptedOnceExcusesNothing) {
  SeenThere all = seen({100}, {100}, 0);
  all.addObserved({100}, atens(1));
  EXPECT_NE(hiddenThere(all, hot, "aten::silu", took), "");
}

}  // namespace
}  // namespace wb
