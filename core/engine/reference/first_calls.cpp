// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/first_calls.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>

namespace wb {

void makeFirstCalls() {
  try {
    // Smaller ones, and a batch of one, are computed without them.
    constexpr std::int64_t size = 64, batch = 2, channels = 8, kernel = 3;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
      const at::Tensor square = at::ones({size, size}, type);
      (void)at::mm(square, square);
      (void)at::bmm(square.expand({batch, size, size}), square.expand({batch, size, size}));
      (void)at::conv2d(at::ones({batch, channels, size, size}, type),
                       at::ones({channels, channels, kernel, kernel}, type));
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): a library that is missing reads nothing
  }
}

}  // namespace wb
