// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/CPUAllocator.h>
#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::HasSubstr;

const char* relu55 = "((T([5, 5], f32),), {})";

char* bytesOf(const at::Tensor& tensor) {
  return static_cast<char*>(tensor.mutable_data_ptr());
}

/// Makes each of these bytes another one, whatever it is.
void flip(char* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<char>(~from[i]);
}

/// Relu, and then `also` with its input and its answer.
CaseCheck checkWith(const std::function<void(const at::Tensor& input, const at::Tensor& answer)>& also) {
  return Bench("aten::relu",
               [&](const Stack& a) -> Stack {
                 at::Tensor answer = at::empty_like(a[0].toTensor());
                 at::clamp_min_out(answer, a[0].toTensor(), 0);
                 also(a[0].toTensor(), answer);
                 return {answer};
               })
      .check(relu55);
}

TEST(WrittenBeyond, ARightAnswerWithOneNumberTooManyIsNamed) {
  const CaseCheck check =
      checkWith([](const at::Tensor&, const at::Tensor& answer) { flip(bytesOf(answer) + 100, 4); });
  EXPECT_EQ(check.verdict, Verdict::changedInput);
  EXPECT_EQ(check.message, "the kernel writes beyond the end of its result (4 B)");
}

TEST(WrittenBeyond, SomeKilobytesInFrontOfAnInputAreNamed) {
  const CaseCheck check = checkWith(
      [](const at::Tensor& input, const at::Tensor&) { std::memset(bytesOf(input) - 3000, 0, 3000); });
  EXPECT_EQ(check.verdict, Verdict::changedInput);
  EXPECT_THAT(check.message, HasSubstr("the kernel writes in front of its input 'self'"));
}

TEST(WrittenBeyond, MemoryThatIsFreedBeforeTheCallReturnsIsLookedAt) {
  const CaseCheck check = checkWith([](const at::Tensor&, const at::Tensor&) {
    std::memset(bytesOf(at::empty({7}, at::kByte)) + 7, 1, 9);
  });
  EXPECT_EQ(check.verdict, Verdict::changedInput);
  EXPECT_THAT(check.message,
              HasSubstr("the kernel writes beyond the end of a tensor that it made for itself"));
}

TEST(WrittenBeyond, TheSecondCallOnTheSameInputIsLookedAtToo) {
  int calls = 0;
  const CaseCheck check = checkWith([&](const at::Tensor&, const at::Tensor& answer) {
    if (++calls == 2) flip(bytesOf(answer) + 100, 1);
  });
  EXPECT_EQ(check.verdict, Verdict::changedInput);
  EXPECT_EQ(check.message,
            "the second time on the same input: the kernel writes beyond the end of its result (1 B)");
}

TEST(WrittenBeyond, HonestUsesOfMemoryRaiseNoAlarm) {
  std::vector<at::Tensor> kept;
  const CaseCheck check = checkWith([&](const at::Tensor& input, const at::Tensor& answer) {
    kept.push_back(at::empty({3}).fill_(1));  // a workspace that outlives the call
    kept.back().resize_({300}).fill_(2);
    at::Tensor none = at::empty({0}), all = input.expand({3, 5, 5}).contiguous().narrow(0, 1, 1).clone();
    std::thread([&] { all = at::empty({100000}).fill_(3); }).join();
    std::vector<at::Tensor> many(5000);
    for (at::Tensor& each : many) each = at::empty({2}, at::kLong).fill_(4);
    flip(bytesOf(answer) + 99, 1);
    flip(bytesOf(answer) + 99, 1);
  });
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  EXPECT_EQ(c10::GetCPUAllocator(), c10::GetDefaultCPUAllocator());
  for (at::Tensor& each : kept) each.resize_({1000}).fill_(5);
}

TEST(WrittenBeyond, MemoryTakenPastTensorsIsFreedByItsAddressAtAnyTime) {
  std::vector<void*> kept;
  const CaseCheck check = checkWith([&](const at::Tensor&, const at::Tensor&) {
    kept.push_back(c10::GetCPUAllocator()->raw_allocate(1000));
    std::memset(kept.back(), 1, 1000);
    void* const freedAtOnce = c10::GetCPUAllocator()->raw_allocate(2000);
    c10::GetCPUAllocator()->raw_deallocate(freedAtOnce);
  });
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
  ASSERT_FALSE(kept.empty());
  for (void* each : kept) c10::GetCPUAllocator()->raw_deallocate(each);
}

}  // namespace
}  // namespace wb
