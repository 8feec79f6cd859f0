// SPDX-License-Identifier: Apache-2.0
// Stands in for ATen/cuda/DeviceUtils.cuh.
#pragma once

#include "warpbench_device.h"

__device__ __forceinline__ unsigned int WARP_BALLOT(int predicate, unsigned int mask = 0xffffffff) {
  return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ unsigned int ACTIVE_MASK() {
  return __activemask();
}
__device__ __forceinline__ void WARP_SYNC(unsigned mask = 0xffffffff) {
  __syncwarp(mask);
}
// Half and BFloat16 travel as their bits.
#define WARPBENCH_SHUFFLE(name, function, Lane)                                                             \
  template <class T>                                                                                        \
  __device__ __forceinline__ T name(T value, Lane lane, int width = warpSize, unsigned mask = 0xffffffff) { \
    if constexpr (std::is_same_v<T, at::Half> || std::is_same_v<T, at::BFloat16>)                           \
      return T(static_cast<unsigned short>(function(mask, value.x, lane, width)),                           \
               typename T::from_bits_t());                                                                  \
    else                                                                                                    \
      return function(mask, value, lane, width);                                                            \
  }
WARPBENCH_SHUFFLE(WARP_SHFL, __shfl_sync, int)
WARPBENCH_SHUFFLE(WARP_SHFL_XOR, __shfl_xor_sync, int)
WARPBENCH_SHUFFLE(WARP_SHFL_UP, __shfl_up_sync, unsigned)
WARPBENCH_SHUFFLE(WARP_SHFL_DOWN, __shfl_down_sync, unsigned)
#undef WARPBENCH_SHUFFLE

template <class T>
__device__ __forceinline__ T doLdg(const T* p) {
  return __ldg(p);
}
