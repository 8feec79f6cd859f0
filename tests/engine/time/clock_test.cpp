// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "core/engine/device/driver.h"
#include "tests/engine/time/fake_clock.h"

namespace wb {
namespace {

TEST(WallClock, RunsCallsRoundTheRotation) {
  auto clock = wallClock();
  const auto calls = fakeCalls(false, 3);
  auto seconds = clock->sample(calls, 2, 4);
  ASSERT_TRUE(seconds);
  EXPECT_GT(seconds->seconds, 0);
  auto runs = [&](std::size_t i) { return dynamic_cast<FakeCall&>(*calls[i]).runs; };
  EXPECT_EQ(runs(2), 2);
  EXPECT_EQ(runs(0), 1);
  EXPECT_EQ(runs(1), 1);
  EXPECT_EQ(clock->description(1), "wall clock");
}

#if defined(__x86_64__)
/// The processor's time stamp as a handler says it, to whoever reads it once.
std::uint64_t saidStamp = 0;
struct sigaction handlingBefore {};

void sayStamp(int, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  registers[REG_RAX] = static_cast<long long>(saidStamp & 0xffffffff);
  registers[REG_RDX] = static_cast<long long>(saidStamp >> 32);
  registers[REG_RIP] += code[1] == 0x01 ? 3 : 2;  // rdtscp and rdtsc
  ::prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
  ::sigaction(SIGSEGV, &handlingBefore, nullptr);
}

TEST(WallClock, ATimeStampThatUserCodeAnswersDoesNotShortenTheSample) {
  const auto calls = fakeCalls(false, 1);
  const auto clock = enqueuedClock(
      {1e-3, 1e-3, 8},
      []() -> Result<void> {
        saidStamp = __rdtsc() + 2000;
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        struct sigaction handling {};
        handling.sa_sigaction = sayStamp;
        handling.sa_flags = SA_SIGINFO;
        ::sigaction(SIGSEGV, &handling, &handlingBefore);
        ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
        return {};
      },
      [] {});
  const auto sampled = clock->sample(calls, 0, 1);
  int isTrapped = PR_TSC_SIGSEGV;
  ::prctl(PR_GET_TSC, &isTrapped, 0, 0, 0);
  if (isTrapped != PR_TSC_ENABLE) {
    ::prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
    ::sigaction(SIGSEGV, &handlingBefore, nullptr);
    GTEST_SKIP() << "not run: this machine's clocks do not read the processor's time stamp";
  }
  ASSERT_TRUE(sampled);
  EXPECT_GE(sampled->seconds, 0.02);
}
#endif

/// Notes in which order things happen around a sample.
class NotedSample final : public BetweenSamples {
 public:
  explicit NotedSample(std::vector<std::string>& notes) : notes_(notes) {}
  Result<void> before(bool, std::size_t, int) override { return noted("before"); }
  Result<void> handOver(bool, std::size_t, int, int) override { return noted("handed over"); }
  Result<void> ended(bool, std::size_t, int) override { return noted("ended"); }
  Result<void> after(bool, std::size_t, int) override { return noted("after"); }
  Result<void> enqueueNew(bool, std::size_t) override { return {}; }
  Result<void> enqueued(bool, std::size_t) override { return {}; }
  Result<GraphSets> provide(int) override { return GraphSets{}; }
  Result<void> renewAll() override { return {}; }
  int looksAfter(bool) override { return 0; }
  Result<void> replayed(std::size_t) override { return {}; }

 private:
  Result<void> noted(const char* what) {
    notes_.emplace_back(what);
    return {};
  }
  std::vector<std::string>& notes_;
};

TEST(WallClock, TheEndOfASampleIsToldWhileItsSideIsInForce) {
  const auto reference = fakeCalls(false, 1), candidate = fakeCalls(true, 1);
  std::vector<std::string> notes;
  NotedSample between(notes);
  Sides sides{reference, candidate};
  sides.between = &between;
  sides.enter = [&](bool isCandidate) { notes.emplace_back(isCandidate ? "in" : "out"); };
  ASSERT_TRUE(wallClock()->sample(sides, {true, 0}, 1));
  EXPECT_THAT(notes, testing::ElementsAre("before", "in", "handed over", "ended", "out", "after"));
}

TEST(DeviceClock, WithoutADriverSaysSo) {
  std::string whyNot;
  if (driver(&whyNot) != nullptr) GTEST_SKIP() << "this machine has a driver";
  auto clock = deviceClock(0);
  ASSERT_FALSE(clock);
  EXPECT_THAT(clock.error().text, testing::HasSubstr(whyNot));
}

TEST(Driver, WithoutADriverThereIsAReasonAndNothingToWaitFor) {
  std::string whyNot;
  if (driver(&whyNot) != nullptr) GTEST_SKIP() << "this machine has a driver";
  EXPECT_FALSE(whyNot.empty());
  EXPECT_FALSE(deviceFacts(0));
  EXPECT_FALSE(useDevice(0));
  EXPECT_TRUE(synchronize(Stage::check));
  EXPECT_FALSE(deviceBroken());
}

TEST(Driver, ErrorsSayWhatWasDoneAndTheCode) {
  const Error error = cudaError(Stage::check, CUDA_ERROR_ILLEGAL_ADDRESS, "Launching relu");
  EXPECT_EQ(error.stage, Stage::check);
  EXPECT_THAT(error.text, testing::StartsWith("Launching relu: CUDA"));
  EXPECT_FALSE(error.hint.empty());
}

TEST(Driver, KnowsWhichErrorsNeedANewProcess) {
  for (CUresult code : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_ASSERT,
                        CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_LAUNCH_FAILED,
                        CUDA_ERROR_ILLEGAL_INSTRUCTION})
    EXPECT_TRUE(isSticky(code)) << code;
  for (CUresult code : {CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY,
                        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_NOT_READY})
    EXPECT_FALSE(isSticky(code)) << code;
}

}  // namespace
}  // namespace wb
