// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace wb::fake {

/// What stands for CUDA's runtime remembers what it was given.
struct Runtime {
  const void* kernel = nullptr;
  cudaStream_t stream = nullptr;
  int calls = 0;
  /// The kernel of a node, which the driver alone knows of as long as it is none of nvcc's.
  const void* kernelOfNode = nullptr;
  bool ofNvcc = false;
  /// Whether a call failed and nobody has asked for that.
  bool failed = false;
  /// What the driver has for a kernel, and what a node for memory gives back.
  char function = 0, memory = 0;
};
Runtime& runtime();

}  // namespace wb::fake
