// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <malloc.h>
#include <torch/library.h>

#include <optional>

#include "core/engine/sides/dispatcher_watch.h"

namespace wb {
namespace {

using testing::HasSubstr;

at::Tensor ownRelu(const at::Tensor& self) {
  return self;
}

/// An implementation of somebody's own, for as long as it lives.
torch::Library replacing(const char* op) {
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, __LINE__);
  library.impl(op, ownRelu);
  return library;
}

TEST(Registrations, AreTheSameObjectUntilSomebodyRegistersMore) {
  Registrations relu("aten::relu");
  const Registrations::Lines before = relu.lines();
  EXPECT_THAT(*before, HasSubstr("CPU: registered at"));
  EXPECT_EQ(relu.lines(), before);
  {
    const auto own = replacing("relu");
    const Registrations::Lines now = relu.lines();
    EXPECT_NE(*now, *before);
    EXPECT_EQ(relu.lines(), now);
  }
  EXPECT_EQ(*relu.lines(), *before) << "it was taken back";
}

TEST(Registrations, OfAnOperatorThatIsNotThereYetAreFoundLater) {
  Registrations made("serve::made");
  EXPECT_EQ(*made.lines(), "");
  {
    torch::Library library(torch::Library::DEF, "serve", std::nullopt, __FILE__, __LINE__);
    library.def("made(Tensor a) -> Tensor");
    library.impl("made", torch::dispatch(c10::DispatchKey::CPU, ownRelu));
    EXPECT_THAT(*made.lines(), HasSubstr("CPU: registered at"));
  }
  EXPECT_EQ(*made.lines(), "");
}

TEST(DispatcherWatch, NamesTheOperatorThatWasReplacedAndForgivesWhatWasTakenBack) {
  const AllRegistrations all;
  DispatcherWatch watch(all, "aten::relu");
  EXPECT_EQ(watch.replaced(), "");
  {
    const auto own = replacing("relu");
    EXPECT_THAT(watch.replaced(), HasSubstr("the kernel of aten::relu for CPU (registered at "));
  }
  {
    const auto own = replacing("isnan");
    EXPECT_THAT(watch.replaced(), HasSubstr("the kernel of aten::isnan for CPU (registered at "));
    EXPECT_THAT(DispatcherWatch(all, "").replacedSoFar(), HasSubstr("aten::isnan"));
  }
  EXPECT_EQ(watch.replaced(), "");
  EXPECT_EQ(watch.replacedSoFar(), "");
}

at::Tensor innerNorm(const at::Tensor& self) {
  return self;
}

TEST(DispatcherWatch, SeesAnOperatorThatOnlyOthersCall) {
  const AllRegistrations all;
  DispatcherWatch watch(all, "aten::layer_norm");
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, __LINE__);
  library.impl("erfinv", innerNorm);
  EXPECT_THAT(watch.replaced(), HasSubstr("the kernel of aten::erfinv for CPU (registered at "));
}

TEST(DispatcherWatch, SeesWhoComesBeforeAllDevices) {
  const AllRegistrations all;
  DispatcherWatch watch(all, "");
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::BackendSelect, __FILE__, __LINE__);
  library.impl("erfinv", innerNorm);
  EXPECT_THAT(watch.replaced(), HasSubstr("the kernel of aten::erfinv for BackendSelect"));
}

TEST(DispatcherWatch, AWorkerThatLooksAMillionTimesDoesNotGrow) {
  const AllRegistrations all;
  const auto look = [&](int times) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(DispatcherWatch(all, "aten::relu").replaced(), "");
  };
  look(10);
  const std::size_t before = ::mallinfo2().uordblks;
  look(200);
  EXPECT_LT(::mallinfo2().uordblks, before + 4096) << "20 bytes a look would be a megabyte a minute";
}

}  // namespace
}  // namespace wb
