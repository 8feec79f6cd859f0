// SPDX-License-Identifier: Apache-2.0
// From where torch's code launches kernels tells one operator from another.
#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

#include "core/engine/sides/operator_watch.h"
#include "core/engine/sides/process/launch_places.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

class GpuLaunchPlaces : public GpuTest {
 protected:
  static std::vector<std::uintptr_t> of(const std::function<void(const at::Tensor&)>& call) {
    const at::Tensor x = at::rand({1000}, at::device(at::kCUDA).dtype(at::kFloat));
    call(x);
    const LaunchPlaces places;
    call(x);
    std::vector<std::uintptr_t> all;
    for (const LaunchPlace& each : places.taken()) all.push_back(each.at);
    return all;
  }
};

TEST_F(GpuLaunchPlaces, EachOperatorLaunchesFromItsOwn) {
  const auto silu = of([](const at::Tensor&x) { (void)at::silu(x); }),
             again = of([](const at::Tensor&x) { (void)at::silu(x); }),
             sigmoid = of([](const at::Tensor&x) { (void)at::sigmoid(x); }),
             both = of([](const at::Tensor&x) { (void)at::silu(at::sigmoid(x)); });
  fmt::print("silu {:x}, sigmoid {:x}\n", fmt::join(silu, " "), fmt::join(sigmoid, " "));
  ASSERT_THAT(silu, Not(IsEmpty()));
  EXPECT_EQ(silu, again);
  EXPECT_NE(silu, sigmoid);
  EXPECT_THAT(both, IsSupersetOf(silu));
  EXPECT_THAT(both, IsSupersetOf(sigmoid));
}

TEST_F(GpuLaunchPlaces, NothingIsNotedWhereNothingIsLaunched) {
  EXPECT_THAT(of([](const at::Tensor& x) { (void)x.view({10, 100}); }), IsEmpty());
}

TEST_F(GpuLaunchPlaces, WhatNoOperatorWasSeenToLaunchIsHidden) {
  const at::Tensor x = at::rand({1000}, at::device(at::kCUDA).dtype(at::kFloat));
  const OperatorWatch watch("aten::silu");
  const auto isHidden = [&](bool observed) {
    const LaunchPlaces places;
    at::enableRecordFunction(observed);
    (void)at::silu(x);
    at::enableRecordFunction(true);
    const auto taken = places.taken();
    return taken.size() == 1 && taken[0].isHidden;
  };
  EXPECT_FALSE(isHidden(true));
  EXPECT_TRUE(isHidden(false));
}

}  // namespace
}  // namespace wb
