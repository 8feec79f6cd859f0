// SPDX-License-Identifier: Apache-2.0
// Kernels that are right when they are checked and do no work, or not their own, when they are timed.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/bernoulli.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

#include <cstring>
#include <ctime>
#include <map>
#include <memory>

#include "core/engine/time/time_stage.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const char* relu64 = "((T([64], f32),), {})";
const char* reluLarger = "((T([80, 60], f32),), {})";

at::Tensor reluOf(const at::Tensor& x) {
  return x.clamp_min(0);
}

/// The wall clock, whose limits are times that this thread has worked: a busy machine takes as many samples.
class WorkedClock final : public Clock {
 public:
  [[nodiscard]] std::string description(int calls) const override { return inner_->description(calls); }
  [[nodiscard]] SampleNeeds needs() const override { return inner_->needs(); }
  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    return inner_->sample(rotation, first, calls);
  }
  [[nodiscard]] double now() const override {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  std::unique_ptr<Clock> inner_ = wallClock();
};

TimeOutcome timed(Bench& bench, const std::string& args) {
  bench.job.timing.capSeconds = 0.05;
  MeasuredDevice shared;
  shared.clock = std::make_unique<WorkedClock>();
  shared.cacheBytes = 1 << 20;
  return timeOneCase(bench.context(), bench.definition(args), shared);
}

void expectWrong(const TimeOutcome& outcome, Verdict verdict = Verdict::mismatch) {
  EXPECT_FALSE(outcome.timing);
  ASSERT_TRUE(outcome.recheck) << outcome.reason;
  EXPECT_EQ(outcome.recheck->verdict, verdict);
  EXPECT_THAT(outcome.recheck->message, StartsWith("right when checked, wrong when timed: "));
}

TEST(KeptAnswers, ByPointer) {
  for (const char* args : {relu64, reluLarger}) {
    std::map<const void*, at::Tensor> kept;
    Bench bench("aten::relu", [&](const Stack& a) -> Stack {
      at::Tensor& answer = kept[a[0].toTensor().const_data_ptr()];
      if (!answer.defined()) answer = reluOf(a[0].toTensor());
      return {answer};
    });
    EXPECT_EQ(bench.check(args).verdict, Verdict::pass);
    expectWrong(timed(bench, args));
  }
}

TEST(KeptAnswers, ByShape) {
  std::map<std::vector<std::int64_t>, at::Tensor> kept;
  int calls = 0;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    at::Tensor& answer = kept[a[0].toTensor().sizes().vec()];
    if (++calls <= 20) answer = reluOf(a[0].toTensor());
    return {answer};
  });
  EXPECT_EQ(bench.check(relu64).verdict, Verdict::pass);
  expectWrong(timed(bench, relu64));
}

/// The bits of a few elements as a key.
std::string fewElements(const at::Tensor& x) {
  const auto* const values = x.const_data_ptr<float>();
  std::string key;
  for (const std::int64_t i : {std::int64_t{0}, x.numel() / 3, x.numel() / 2, x.numel() - 1})
    key.append(reinterpret_cast<const char*>(values + i), sizeof(float));
  return key;
}

TEST(KeptAnswers, ByAFewElementsOfTheContents) {
  for (const char* args : {relu64, reluLarger}) {
    std::map<std::string, at::Tensor> kept;
    std::size_t served = 0, calls = 0;
    Bench bench("aten::relu", [&](const Stack& a) -> Stack {
      ++calls;
      at::Tensor& answer = kept[fewElements(a[0].toTensor())];
      if (answer.defined())
        ++served;
      else
        answer = reluOf(a[0].toTensor());
      return {answer};
    });
    const TimeOutcome outcome = timed(bench, args);
    // Either hardly any contents came again, and the kernel has done its work, or a served answer was found
    // out: where there are few sets, a sample uses one several times, each time with a single other number.
    if (served > calls / 100)
      expectWrong(outcome);
    else
      EXPECT_TRUE(outcome.timing || outcome.recheck) << outcome.reason;
  }
}

TEST(KeptAnswers, ByTheNumberOfTheCall) {
  int calls = 0;
  at::Tensor kept;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    if (++calls < 30 || calls % 2 == 0) kept = reluOf(a[0].toTensor());
    return {kept};
  });
  EXPECT_EQ(bench.check(relu64).verdict, Verdict::pass);
  expectWrong(timed(bench, relu64));
}

TEST(KeptAnswers, AsTheAbsoluteAnswerToSignsAndPlacesThatChange) {
  // A sum over all elements of what has no sign depends neither on places nor on signs.
  const char* args = "((T([80, 60], f32),), {})";
  at::Tensor kept;
  Bench bench("aten::norm.Scalar", [&](const Stack& a) -> Stack {
    if (!kept.defined() || kept.item<float>() == 0) kept = a[0].toTensor().norm(2);
    return {kept};
  });
  expectWrong(timed(bench, args));
}

TEST(KeptAnswers, MadeAheadForTheNextCalls) {
  // The first call of a sample answers all inputs it has ever seen, where a few elements say that they are
  // new.
  struct Known {
    at::Tensor input, answer;
    std::string key;
  };
  std::map<const void*, Known> known;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    const at::Tensor x = a[0].toTensor();
    Known& mine = known[x.const_data_ptr()];
    if (!mine.input.defined() || mine.key != fewElements(x)) {
      mine.input = x;
      for (auto& [pointer, each] : known) {
        each.answer = reluOf(each.input);
        each.key = fewElements(each.input);
      }
    }
    return {mine.answer};
  });
  expectWrong(timed(bench, relu64));
}

TEST(KeptAnswers, WorkThatIsDoneByTheNextCall) {
  at::Tensor input, answer;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    if (answer.defined()) answer.copy_(reluOf(input));
    input = a[0].toTensor().clone();
    answer = at::zeros_like(input);
    return {answer};
  });
  expectWrong(timed(bench, relu64));
}

TEST(KeptAnswers, OfAnOperatorInPlace) {
  int calls = 0;
  Bench bench("aten::relu_", [&](const Stack& a) -> Stack {
    if (++calls <= 30) a[0].toTensor().clamp_min_(0);
    return {a[0].toTensor()};
  });
  EXPECT_EQ(bench.check(relu64).verdict, Verdict::pass);
  expectWrong(timed(bench, relu64));
}

TEST(KeptAnswers, OfARandomOperator) {
  at::Tensor kept;
  int calls = 0;
  Bench bench("aten::bernoulli", [&](const Stack& a) -> Stack {
    if (++calls <= 8) kept = at::bernoulli(a[0].toTensor());
    return {kept};
  });
  bench.job.checking.likeBackendBench = true;  // draws from 0 to 1
  expectWrong(timed(bench, "((T([64], f32),), {})"));
}

TEST(KeptAnswers, AnHonestRandomOperatorIsRight) {
  Bench bench("aten::bernoulli", [](const Stack& a) -> Stack { return {at::bernoulli(a[0].toTensor())}; });
  bench.job.checking.likeBackendBench = true;
  const TimeOutcome outcome = timed(bench, "((T([64], f32),), {})");
  EXPECT_TRUE(outcome.timing) << outcome.reason;
  EXPECT_FALSE(outcome.recheck) << outcome.recheck->message;
}

TEST(KeptAnswers, TheInputItselfInPlaceOfACopy) {
  int calls = 0;
  Bench bench("aten::clone", [&](const Stack& a) -> Stack {
    if (++calls > 20) return {a[0].toTensor()};
    return {a[0].toTensor().clone()};
  });
  const TimeOutcome outcome = timed(bench, relu64);
  expectWrong(outcome, Verdict::changedInput);
  EXPECT_THAT(outcome.recheck->message, HasSubstr("shares memory"));
}

TEST(KeptAnswers, AnotherSetsInputsAreChanged) {
  std::map<const void*, at::Tensor> seen;
  Bench bench("aten::relu", [&](const Stack& a) -> Stack {
    const at::Tensor x = a[0].toTensor();
    for (auto& [pointer, other] : seen)
      if (pointer != x.const_data_ptr()) other.zero_();
    seen[x.const_data_ptr()] = x;
    return {reluOf(x)};
  });
  expectWrong(timed(bench, relu64), Verdict::changedInput);
}

}  // namespace
}  // namespace wb
