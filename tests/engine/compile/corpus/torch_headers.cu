// fit
// SPDX-License-Identifier: Apache-2.0
// Headers of torch's for device code, several of which have the same stand-in.
#include <ATen/AccumulateType.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/detail/KernelUtils.h>
#include <ATen/native/cuda/KernelUtils.cuh>
#include <torch/extension.h>

namespace {

template <typename scalar_t, typename acc_t = at::acc_type<scalar_t, true>>
__global__ void relu_kernel(const scalar_t* x, scalar_t* y, int64_t n) {
  CUDA_KERNEL_LOOP(i, n) {
    acc_t value = x[i];
    value += acc_t(0) * WARP_SHFL_XOR(value, 1);
    y[i] = value > acc_t(0) ? scalar_t(value) : scalar_t(0);
    gpuAtomicAdd(y + i, scalar_t(0));
  }
}

}  // namespace

at::Tensor relu(const at::Tensor& self) {
  at::Tensor y = at::empty_like(self);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(self.scalar_type(), "relu", [&] {
    relu_kernel<scalar_t><<<(self.numel() + 511) / 512, 512, 0, at::cuda::getCurrentCUDAStream()>>>(
        self.const_data_ptr<scalar_t>(), y.mutable_data_ptr<scalar_t>(), self.numel());
  });
  return y;
}
