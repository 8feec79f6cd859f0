// SPDX-License-Identifier: Apache-2.0
// Bytes that a GPU's copy engines carry arrive whole, however many they are, and touch no others.
#include "core/engine/device/carried_bytes.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include "core/engine/device/driver.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

class GpuCarriedBytes : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped()) ASSERT_TRUE(useDevice(0));
  }
};

TEST_F(GpuCarriedBytes, ArriveWholeAndTouchNoOthers) {
  const at::TensorOptions onGpu = at::TensorOptions(at::kByte).device("cuda:0");
  for (const std::int64_t bytes : {0, 1, 2, 7, 15, 8192, 65521, 65536, 1000003}) {
    const at::Tensor from = at::randint(0, 256, {bytes}, onGpu), room = at::full({bytes + 64}, 7, onGpu);
    const at::Tensor to = room.slice(0, 32, 32 + bytes);
    CarriedBytes carried(from);
    ASSERT_TRUE(carried.takeFrom(from)) << bytes;
    ASSERT_TRUE(carried.giveTo(to)) << bytes;
    EXPECT_TRUE(at::equal(to, from)) << bytes;
    EXPECT_TRUE(room.slice(0, 0, 32).eq(7).all().item<bool>()) << bytes;
    EXPECT_TRUE(room.slice(0, 32 + bytes).eq(7).all().item<bool>()) << bytes;
  }
}

}  // namespace
}  // namespace wb
