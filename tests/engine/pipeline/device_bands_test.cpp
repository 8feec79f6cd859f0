// SPDX-License-Identifier: Apache-2.0
// The bands around memory of a GPU, on memory of the processor in its place.
#include "core/engine/sides/bands/device_bands.h"

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace wb {
namespace {

/// Torch's allocator of the processor's memory, which counts what it gave.
class Counting final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t size) override {
    if (size > mostOfOne) TORCH_CHECK_WITH(OutOfMemoryError, false, "there is no more memory");
    {
      const std::lock_guard lock(mutex_);
      sizes.push_back(size);
    }
    return c10::GetDefaultCPUAllocator()->allocate(size);
  }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }
  std::vector<std::size_t> sizes;
  std::size_t mostOfOne = std::size_t{1} << 30;

 private:
  std::mutex mutex_;
};

struct Device {
  bool isRecorded = false;
  int waits = 0;
  [[nodiscard]] DeviceAccess access() {
    return {[this](std::byte* band, const std::byte* from) {
              if (!isRecorded) std::memcpy(band, from, bandBytes);
              return !isRecorded;
            },
            [](std::byte* to, const std::byte* band) {
              std::memcpy(to, band, bandBytes);
              return true;
            },
            [this] {
              ++waits;
              return true;
            }};
  }
};

class DeviceBandsTest : public testing::Test {
 protected:
  DeviceBandsTest() { bands_.begin(7); }
  c10::DataPtr make(std::size_t size) { return bands_.allocate(torchs_, size); }
  static char* bytesOf(const c10::DataPtr& memory) { return static_cast<char*>(memory.get()); }
  static void flip(char* byte) { *byte = static_cast<char>(~*byte); }

  Counting torchs_;
  Device device_;
  DeviceBands bands_{device_.access(), 1000};
};

TEST_F(DeviceBandsTest, WhatIsWrittenBehindAndInFrontIsCounted) {
  const c10::DataPtr first = make(100), second = make(50);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.get()) % 64, 0U);
  EXPECT_FALSE(bands_.found());
  for (int i = 0; i < 4; ++i) flip(bytesOf(second) + 50 + i);
  flip(bytesOf(second) - 1);
  const std::optional<WrittenBeyond> found = bands_.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->data, second.get());
  EXPECT_EQ(found->behind, 4U);
  EXPECT_EQ(found->inFront, 1U);
}

TEST_F(DeviceBandsTest, WorkOnFreedMemoryThatIsDoneLaterIsSeen) {
  c10::DataPtr memory = make(100);
  char* const bytes = bytesOf(memory);
  memory.clear();
  flip(bytes + 100);  // as a kernel does that was enqueued before, and has begun since
  EXPECT_EQ(device_.waits, 0);
  const auto found = bands_.found();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->behind, 1U);
}

TEST_F(DeviceBandsTest, WhatIsFreedIsGivenBackWhenItIsMuch) {
  c10::DataPtr one = make(600), two = make(600);
  flip(bytesOf(one) + 600);
  one.clear();
  EXPECT_EQ(device_.waits, 0);
  two.clear();
  EXPECT_EQ(device_.waits, 1) << "nobody looks before the work is done";
  EXPECT_TRUE(bands_.found());
}

TEST_F(DeviceBandsTest, WithoutMemoryForBandsThereAreNone) {
  torchs_.mostOfOne = 2 * bandBytes;
  c10::DataPtr kept = make(0);
  const c10::DataPtr memory = make(500);
  EXPECT_NE(memory.get(), nullptr);
  EXPECT_EQ(torchs_.sizes.back(), 500U);
  EXPECT_FALSE(bands_.found());
}

TEST_F(DeviceBandsTest, WhatIsRecordedForAGraphHasNoBands) {
  device_.isRecorded = true;
  const c10::DataPtr memory = make(500);
  EXPECT_EQ(torchs_.sizes.back(), 500U);
  EXPECT_EQ(&DeviceBands::given(memory), &memory);
  EXPECT_EQ(bands_.before(memory.get()), 0U);
}

TEST_F(DeviceBandsTest, WhoKnowsTorchsOwnMemoryFindsIt) {
  const c10::DataPtr memory = make(500);
  EXPECT_EQ(static_cast<char*>(DeviceBands::given(memory).get()) + bandBytes, memory.get());
  EXPECT_EQ(bands_.before(memory.get()), bandBytes);
}

TEST_F(DeviceBandsTest, MemoryThatOutlivesTheCheckIsFreedAsItWasMade) {
  c10::DataPtr memory = make(100), other = make(100);
  flip(bytesOf(memory) + 100);
  EXPECT_TRUE(bands_.found());
  bands_.end();
  EXPECT_FALSE(bands_.found());
  memory.clear();  // valgrind and asan say whether that is right
  bands_.begin(8);
  EXPECT_FALSE(bands_.found()) << "bands of another secret are not looked at";
  other.clear();
  const c10::DataPtr again = make(100);
  EXPECT_FALSE(bands_.found());
}

TEST_F(DeviceBandsTest, ThreadsTakeMemoryAtTheSameTime) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (std::size_t size = 1; size < 200; ++size) make(size).clear();
    });
  for (std::thread& each : threads) each.join();
  EXPECT_FALSE(bands_.found());
}

}  // namespace
}  // namespace wb
