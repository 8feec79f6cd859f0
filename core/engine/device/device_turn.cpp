// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/device_turn.h"

#include "core/engine/device/driver.h"

namespace wb {

DeviceTurn::~DeviceTurn() {
  if (const Driver* const cuda = driver(); cuda != nullptr && nothing_ != 0) (void)cuda->memFree(nothing_);
}

void DeviceTurn::take() {
  const Driver* const cuda = driver();
  if (cuda == nullptr) return;
  if (nothing_ == 0 && cuda->memAlloc(&nothing_, 1) != CUDA_SUCCESS) return;
  // A copy would not do: those have engines of their own.
  (void)cuda->memsetD8Async(nothing_, 0, 1, nullptr);
  (void)cuda->ctxSynchronize();
}

}  // namespace wb
