// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <vector>

namespace wb {

/// What the bytes of some tensors come to: other bytes come to something else but by chance. On a GPU the
/// sums stay there until they are compared.
struct AnswerDigest {
  std::uint64_t ofHost = 0;
  std::vector<at::Tensor> ofDevice;
};
/// Tensors that have no memory of their own, as sparse ones, count for nothing.
[[nodiscard]] AnswerDigest digestOf(const std::vector<c10::IValue>& values);
/// Waits for the device.
[[nodiscard]] bool areSame(const AnswerDigest& before, const AnswerDigest& now);

}  // namespace wb
