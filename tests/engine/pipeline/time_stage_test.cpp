// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/time_stage.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "core/engine/sides/process/one_thread.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::AnyOf;
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

TEST(TimeOneCase, ASampleMeetsNoInputsTwice) {
  Bench bench("aten::relu", relu);
  bench.job.timing.capSeconds = 0.02;
  MeasuredDevice shared;
  constexpr double longSample = 1e-3;
  shared.clock = wallClock({longSample, longSample, 4096});
  // Eight sets of 32 KiB are a quarter of it.
  shared.cacheBytes = cache;
  const TimeOutcome outcome =
      timeOneCase(bench.context(), bench.definition("((T([64, 64], f32),), {})"), shared);
  ASSERT_TRUE(outcome.timing) << outcome.reason;
  EXPECT_LE(outcome.timing->callsPerSample, 8);
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

/// Half of the numbers are zeros, so that contents change by a factor alone.
TimeOutcome timedOnActivations(Bench& bench, double capSeconds = 0.02) {
  const OneThread alone;
  bench.job.timing.capSeconds = capSeconds;
  MeasuredDevice shared;
  shared.clock = wallClock();
  shared.cacheBytes = cache;
  KernelContext kernel = bench.context();
  kernel.ownInputs = [](std::uint64_t seed) -> Result<Stack> {
    return Stack{at::randn({256, 1024}, at::detail::createCPUGenerator(seed)).clamp_min(0), 1, c10::IValue()};
  };
  Case definition = bench.definition("((T([256, 1024], f32), 1), {})");
  definition.values = "own";
  return timeOneCase(kernel, definition, shared);
}

TEST(TimeOneCase, SaysNoSpeedupOfAKernelThatKnowsItsInputsButForAFactor) {
  std::map<float, std::pair<float, at::Tensor>> known;
  Bench bench("aten::cumsum", [&](const Stack& arguments) -> Stack {
    const at::Tensor& self = arguments[0].toTensor();
    const float* numbers = self.const_data_ptr<float>();
    const float* const one = std::find_if(numbers, numbers + 64, [](float each) { return each > 0; });
    const float* const other = std::find_if(one + 1, numbers + 128, [](float each) { return each > 0; });
    const float shape = std::round(1e3F * *one / *other);
    const auto kept = known.find(shape);
    if (kept != known.end()) return {kept->second.second * (*one / kept->second.first)};
    at::Tensor answer = self.cumsum(1);
    for (int more = 0; more < 4; ++more) answer = self.cumsum(1);
    known.emplace(shape, std::pair(*one, answer.clone()));
    return {answer};
  });
  const TimeOutcome outcome = timedOnActivations(bench, 0.3);
  ASSERT_TRUE(outcome.timing) << outcome.reason;
  EXPECT_GT(outcome.timing->speedup.ratio, 1.05) << "what is kept has to be quicker for this test";
  EXPECT_NE(outcome.timing->speedup.pace, Pace::faster);
  // Beside other work there may be no ratio anyway.
  EXPECT_THAT(outcome.timing->note,
              AnyOf(HasSubstr("for inputs that it has not met"), HasSubstr("too noisy")));
}

TEST(TimeOneCase, AKernelThatTakesAsLongForOtherInputsIsTimed) {
  Bench bench("aten::cumsum",
              [&](const Stack& arguments) -> Stack { return {arguments[0].toTensor().cumsum(1)}; });
  const TimeOutcome outcome = timedOnActivations(bench);
  EXPECT_TRUE(outcome.timing) << outcome.reason;
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
