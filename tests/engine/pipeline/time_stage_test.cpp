// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/time_stage.h"

#include <gmock/gmock.h>

#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;

const char* relu64 = "((T([64], f32),), {})";
constexpr std::int64_t cache = 1 << 20;

Stack relu(const Stack& arguments) {
  return {arguments[0].toTensor().clamp_min(0)};
}

TimeOutcome timed(Bench& bench, const std::string& args) {
  bench.job.timing.capSeconds = 0.02;
  MeasuredDevice shared;
  shared.clock = wallClock();
  shared.cacheBytes = cache;
  return timeOneCase(bench.context(), bench.definition(args), shared);
}

TEST(TimeOneCase, GivesATimingWithItsBlocks) {
  Bench bench("aten::relu", relu);
  const TimeOutcome outcome = timed(bench, relu64);
  ASSERT_TRUE(outcome.timing) << outcome.reason;
  EXPECT_FALSE(outcome.recheck);
  EXPECT_FALSE(outcome.timing->blocks.empty());
  EXPECT_THAT(outcome.timing->clock, HasSubstr("wall clock"));
}

TEST(TimeOneCase, FindsAnAnswerKeptFromAnEarlierCall) {
  Stack kept;
  Bench bench("aten::relu", [&](const Stack& arguments) {
    if (kept.empty()) kept = relu(arguments);
    return kept;
  });
  const TimeOutcome outcome = timed(bench, relu64);
  EXPECT_FALSE(outcome.timing);
  ASSERT_TRUE(outcome.recheck);
  EXPECT_EQ(outcome.recheck->verdict, Verdict::mismatch);
  EXPECT_THAT(outcome.reason, HasSubstr("differs on the timed inputs"));
}

TEST(TimeOneCase, FindsAnInputThatIsChangedOnlyLater) {
  int calls = 0;
  Bench bench("aten::relu", [&](const Stack& arguments) -> Stack {
    const Stack result = relu(arguments);
    if (++calls > 3) arguments[0].toTensor().zero_();
    return result;
  });
  const TimeOutcome outcome = timed(bench, relu64);
  ASSERT_TRUE(outcome.recheck);
  EXPECT_EQ(outcome.recheck->verdict, Verdict::changedInput);
}

TEST(TimeOneCase, SaysWhatAKernelThrewWhileTimed) {
  int calls = 0;
  Bench bench("aten::relu", [&](const Stack& arguments) -> Stack {
    if (++calls > 5) throw std::runtime_error("tired");
    return relu(arguments);
  });
  const TimeOutcome outcome = timed(bench, relu64);
  EXPECT_FALSE(outcome.timing);
  EXPECT_THAT(outcome.reason, HasSubstr("tired"));
}

TEST(TimeOneCase, TimesInPlaceOperators) {
  Bench bench("aten::relu_", [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_min_(0)}; });
  const TimeOutcome outcome = timed(bench, relu64);
  EXPECT_TRUE(outcome.timing) << outcome.reason;
  EXPECT_FALSE(outcome.recheck) << outcome.recheck->message;
}

TEST(TimeOneCase, AnEmptyOutputIsNothingToTime) {
  Bench bench("aten::relu", relu);
  const TimeOutcome outcome = timed(bench, "((T([4, 0, 3], f32),), {})");
  EXPECT_FALSE(outcome.timing);
  EXPECT_FALSE(outcome.recheck);
  EXPECT_THAT(outcome.reason, HasSubstr("empty"));
}

TEST(TimeOneCase, AKernelThatGotCopiesIsNotComparable) {
  Bench bench("aten::relu", relu);
  bench.candidate.notComparable = "not timed: self copied for the kernel";
  const TimeOutcome outcome = timed(bench, relu64);
  EXPECT_FALSE(outcome.timing);
  EXPECT_THAT(outcome.reason, HasSubstr("self copied"));
}

TEST(TimeOneCase, TakesFewerSetsWhereMemoryIsShort) {
  Bench bench("aten::relu", relu);
  bench.job.limits.tensorBytes = 4096;
  const TimeOutcome outcome = timed(bench, "((T([1000], f32),), {})");
  ASSERT_TRUE(outcome.timing) << outcome.reason;
  EXPECT_THAT(outcome.timing->note, HasSubstr("only 1 input sets"));
}

}  // namespace
}  // namespace wb
