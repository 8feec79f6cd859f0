// SPDX-License-Identifier: Apache-2.0
// Stands in for torch's HeaderOnlyArrayRef.h on the device, where nothing makes one.
#pragma once

#include "warpbench_std.h"

namespace torch::headeronly {
struct IntHeaderOnlyArrayRef {
  const int64_t* data;
  size_t count;
  __device__ IntHeaderOnlyArrayRef(const int64_t* d, size_t n) : data(d), count(n) {}
};
}  // namespace torch::headeronly
