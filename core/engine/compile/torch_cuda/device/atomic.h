// SPDX-License-Identifier: Apache-2.0
// Stands in for ATen/cuda/Atomic.cuh, ATen/native/cuda/KernelUtils.cuh and THC/THCAtomics.cuh.
// Each of the names is a file of its own to NVRTC, so that #pragma once does not do.
#ifndef WARPBENCH_ATOMIC_H
#define WARPBENCH_ATOMIC_H

#include "warpbench_device.h"

template <class T>
__device__ __forceinline__ T gpuAtomicAdd(T* address, T value) {
  if constexpr (std::is_same_v<T, at::Half>)
    return at::Half(atomicAdd(reinterpret_cast<__half*>(address), static_cast<__half>(value)));
  else if constexpr (std::is_same_v<T, at::BFloat16>)
    return at::BFloat16(
        atomicAdd(reinterpret_cast<__nv_bfloat16*>(address), static_cast<__nv_bfloat16>(value)));
  else if constexpr (std::is_same_v<T, int64_t>)
    return static_cast<T>(
        atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
  else
    return atomicAdd(address, value);
}
template <class T>
__device__ __forceinline__ void gpuAtomicAddNoReturn(T* address, T value) {
  gpuAtomicAdd(address, value);
}
namespace at::native {
template <class T, class index_t>
__device__ __forceinline__ void fastAtomicAdd(T* tensor, index_t index, const index_t, T value, bool) {
  gpuAtomicAdd(tensor + index, value);
}
}  // namespace at::native
#endif
