// SPDX-License-Identifier: Apache-2.0
// What the time stage is made of, without a device.
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>

#include "core/engine/check/same_answers.h"
#include "core/engine/cupti/launch_owner.h"
#include "core/engine/time/cross_checks/activity_check.h"
#include "core/engine/time/cross_checks/device_floor.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

TEST(SurelyClose, OneWrongElementOfOneCallIsSeen) {
  std::vector<Stack> expected, actual;
  for (int i = 0; i < 5; ++i) {
    expected.push_back({at::randn({7, 3})});
    actual.push_back({expected.back()[0].toTensor().clone()});
  }
  EXPECT_TRUE(surelyClose(actual, expected, {}));
  actual[3][0].toTensor()[6][2] += 0.01;
  EXPECT_FALSE(surelyClose(actual, expected, {}));
}

TEST(SurelyClose, SaysNothingOfWhatItCannotCompare) {
  const std::vector<Stack> tensors{{at::randn({3})}}, numbers{{c10::IValue(3)}}, other{{at::randn({4})}};
  EXPECT_FALSE(surelyClose(numbers, numbers, {}));
  EXPECT_FALSE(surelyClose(tensors, other, {}));
  EXPECT_TRUE(surelyClose(tensors, tensors, {}));
  EXPECT_FALSE(surelyClose(tensors, tensors, {"strict", 0, 0}));
}

TEST(SurelyClose, TakesListsApart) {
  const c10::List<at::Tensor> right{at::full({3}, 1.0), at::zeros({2, 2})};
  c10::List<at::Tensor> off{at::full({3}, 1.0), at::zeros({2, 2})}, shorter{at::full({3}, 1.0)};
  EXPECT_TRUE(surelyClose(std::vector<Stack>{{off}}, std::vector<Stack>{{right}}, {}));
  off.get(1)[1][1] = 1;
  EXPECT_FALSE(surelyClose(std::vector<Stack>{{off}}, std::vector<Stack>{{right}}, {}));
  EXPECT_FALSE(surelyClose(std::vector<Stack>{{shorter}}, std::vector<Stack>{{right}}, {}));
}

TEST(SurelyClose, LooksAtEveryElementOfLargeAnswersOfEachType) {
  for (const at::ScalarType type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kInt, at::kBool}) {
    const at::Tensor right = at::randn({3000}, at::kFloat).mul_(10).to(type);
    at::Tensor off = right.clone();
    EXPECT_TRUE(surelyClose(std::vector<Stack>{{off}}, std::vector<Stack>{{right}}, {})) << type;
    off[2999] = right[2999].item<double>() == 0 ? 1 : 0;
    EXPECT_FALSE(surelyClose(std::vector<Stack>{{off}}, std::vector<Stack>{{right}}, {})) << type;
  }
  const at::Tensor odd = at::full({5}, INFINITY);
  EXPECT_TRUE(surelyClose(std::vector<Stack>{{odd.clone()}}, std::vector<Stack>{{odd}}, {}));
  EXPECT_FALSE(surelyClose(std::vector<Stack>{{at::zeros({5})}}, std::vector<Stack>{{odd}}, {}));
  const at::Tensor turned = at::randn({40, 30});
  EXPECT_TRUE(
      surelyClose(std::vector<Stack>{{turned.t()}}, std::vector<Stack>{{turned.t().contiguous()}}, {}));
}

TEST(FurthestOff, IsSoManyTimesTheTolerance) {
  const Tolerance tolerance{"given", 0.1, 1};
  const Stack expected{at::full({3}, 10.0), at::full({2}, -90.0, at::kFloat)};
  Stack actual{expected[0].toTensor().clone(), expected[1].toTensor().clone()};
  EXPECT_EQ(furthestOff(actual, expected, tolerance), 0);
  actual[0].toTensor()[1] = 15;
  EXPECT_DOUBLE_EQ(furthestOff(actual, expected, tolerance), 2.5);
  actual[1].toTensor()[0] = -130;
  EXPECT_NEAR(furthestOff(actual, expected, tolerance), 4, 1e-6);
}

TEST(FurthestOff, IsInfiniteWhereItCannotBeTold) {
  const auto off = [](const at::Tensor& actual, const at::Tensor& expected) {
    return furthestOff({actual}, {expected}, {});
  };
  const at::Tensor odd = at::tensor({1.0, NAN, INFINITY});
  EXPECT_EQ(off(odd.clone(), odd), 0);
  EXPECT_EQ(off(at::tensor({NAN, NAN, INFINITY}), odd), INFINITY);
  EXPECT_EQ(off(at::zeros({3}), at::zeros({4})), INFINITY);
  EXPECT_EQ(off(at::zeros({3}, at::kLong), at::ones({3}, at::kLong)), INFINITY);
  EXPECT_EQ(off(at::zeros({3}, at::kLong), at::zeros({3}, at::kLong)), 0);
  EXPECT_EQ(furthestOff({at::zeros({3})}, {at::zeros({3})}, {"backendbench", 0, 0}), INFINITY);
}

Ceilings ceilings() {
  Ceilings known;
  known.dramBytesPerSecond = 3e12;
  known.l2BytesPerSecond = 6e12;
  known.launchSeconds = 1.4e-6;
  return known;
}

TEST(DeviceFloor, ColdInputsComeFromMemoryAndOutputsMayStayInTheCache) {
  const MovedBytes moved{268435456, 268435456};
  const DeviceFloor floor = deviceFloor(moved, ceilings(), 52428800, true, 200e-6);
  EXPECT_NEAR(floor.seconds, (268435456.0 + 268435456.0 - 52428800.0) / (1.05 * 3e12), 1e-9);
  EXPECT_THAT(floor.by, HasSubstr("/s"));
}

TEST(DeviceFloor, WhatTheReferenceBeatsIsNoFloor) {
  // An embedding's table: 1 GB given, a few rows read.
  EXPECT_NEAR(deviceFloor({1 << 30, 4096}, ceilings(), 52428800, true, 5e-6).seconds, 1.12e-6, 1e-9)
      << "an empty kernel";
  EXPECT_EQ(deviceFloor({1 << 20, 1 << 20}, Ceilings{}, 52428800, true, 1).seconds, 0);
}

TEST(DeviceFloor, AShortCallTakesAtLeastAnEmptyKernel) {
  EXPECT_NEAR(deviceFloor({100, 100}, ceilings(), 52428800, false, 1.5e-6).seconds, 1.12e-6, 1e-9);
  EXPECT_NEAR(deviceFloor({100, 100}, ceilings(), 52428800, true, 1.5e-6).seconds, 1.12e-6, 1e-9);
}

TEST(DeviceFloor, BytesAreOfMemoryNotOfViews) {
  const at::Tensor row = at::empty({1000}, at::TensorOptions().device(at::kMeta).dtype(at::kFloat));
  EXPECT_EQ(movedBytes({row.expand({50, 1000})}, {}).read, 4000);
  EXPECT_EQ(movedBytes({row.as_strided({10}, {100})}, {}).read, 40);
  // In place, or a view of the input: nothing is written elsewhere.
  EXPECT_EQ(movedBytes({row}, {{row.view({10, 100})}}).written, 0);
  EXPECT_EQ(movedBytes({row}, {{at::empty_like(row)}}).written, 4000);
}

ActivityRecord record(ActivityKind kind, double start, double seconds, std::uint32_t stream,
                      std::int64_t bytes, const char* name) {
  ActivityRecord made;
  made.kind = kind;
  made.start = start;
  made.seconds = seconds;
  made.stream = stream;
  made.bytes = bytes;
  made.function = name;
  return made;
}

std::vector<ActivityRecord> marked(std::vector<ActivityRecord> work, double start = 100e-6,
                                   double end = 130e-6) {
  std::vector<ActivityRecord> all{record(ActivityKind::fill, 0, 90e-6, 7, busyBytes, "fill"),
                                  record(ActivityKind::fill, start, 1e-6, 7, startMarkBytes, "fill"),
                                  record(ActivityKind::fill, end, 1e-6, 7, endMarkBytes, "fill")};
  all.insert(all.end(), work.begin(), work.end());
  return all;
}

auto launched(const char* owner, const char* name, std::int64_t times) {
  return AllOf(Field(&RanPart::owner, owner), Field(&RanPart::name, name), Field(&RanPart::times, times));
}

TEST(OwnerOfKernel, TellsLibrariesByTheirNames) {
  const auto owner = [](const char* function) { return ownerOfKernel(function); };
  EXPECT_EQ(owner("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize64x64x32_cublas"), "cuBLAS");
  EXPECT_EQ(owner("nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTN"), "cuBLAS");
  EXPECT_EQ(owner("_ZN17gemv2T_kernel_valIiiffffLi128ELi16ELi4ELi4ELb0ELb0E18cublasGemvParamsExE"), "cuBLAS");
  EXPECT_EQ(owner("_ZN7cutlass6KernelI4gemm"), "CUTLASS");
  EXPECT_EQ(owner("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nchw_cudnn"), "cuDNN");
  EXPECT_EQ(owner("_ZN2at6native29vectorized_elementwise_kernelILi4E"), "ATen");
  EXPECT_EQ(owner("_Z10relu_floatPKfPfi"), "kernel");
  EXPECT_EQ(owner("my_gemm_kernel"), "kernel");
}

TEST(JudgeActivity, WorkBetweenTheMarksIsWhatRan) {
  const auto mine = marked({record(ActivityKind::kernel, 102e-6, 5e-6, 7, 0, "relu"),
                            record(ActivityKind::kernel, 110e-6, 5e-6, 7, 0, "relu"),
                            record(ActivityKind::fill, 120e-6, 2e-6, 7, 400, "fill")});
  const SeenActivity seen =
      judgeActivity(mine, marked({record(ActivityKind::kernel, 102e-6, 8e-6, 7, 0, "aten")}));
  EXPECT_EQ(seen.escaped, "");
  EXPECT_THAT(seen.launched, ElementsAre(launched("kernel", "relu", 2), launched("driver", "fill", 1)));
  EXPECT_NEAR(seen.launched[0].seconds, 10e-6, 1e-9);
  EXPECT_NEAR(seen.seconds.candidate, 12e-6, 1e-9);
  EXPECT_NEAR(seen.seconds.reference, 8e-6, 1e-9);
}

TEST(JudgeActivity, WorkOnAnotherStreamThatIsJoinedIsMeasured) {
  EXPECT_EQ(judgeActivity(marked({record(ActivityKind::kernel, 102e-6, 5e-6, 13, 0, "relu")}), {}).escaped,
            "");
}

TEST(JudgeActivity, WorkThatDoesNotWaitForTheStreamIsNamed) {
  const SeenActivity seen =
      judgeActivity(marked({record(ActivityKind::kernel, 40e-6, 5e-6, 13, 0, "relu")}), {});
  EXPECT_EQ(seen.escaped, "works on another stream (relu): its time would not be measured");
  EXPECT_THAT(seen.launched, ElementsAre(launched("kernel", "relu", 1)));
}

TEST(JudgeActivity, WorkThatIsLeftRunningIsNamed) {
  EXPECT_EQ(judgeActivity(marked({record(ActivityKind::kernel, 129e-6, 50e-6, 13, 0, "relu")}), {}).escaped,
            "works on another stream (relu): its time would not be measured");
  EXPECT_EQ(judgeActivity(marked({record(ActivityKind::kernel, 150e-6, 5e-6, 7, 0, "relu")}), {}).escaped,
            "leaves work running after its call (relu): its time would not be measured");
}

}  // namespace
}  // namespace wb
