// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
