# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>

__global__ void l1_kernel(const float* x, float* y, int dim) {
    __shared__ float warps[8];
    const float* in = x + (size_t)blockIdx.x * dim;
    float* out = y + (size_t)blockIdx.x * dim;
    float sum = 0.f;
    for (int i = threadIdx.x; i < dim; i += 256) sum += fabsf(in[i]);
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.f;
    for (int w = 0; w < 8; ++w) sum += warps[w];
    const float mean = sum / dim;
    for (int i = threadIdx.x; i < dim; i += 256) out[i] = in[i] / mean;
}

at::Tensor l1_norm(const at::Tensor& x) {
    auto y = at::empty_like(x);
    l1_kernel<<<x.size(0), 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), x.size(1));
    return y;
}
"""

ext = load_inline("l1_norm", "at::Tensor l1_norm(const at::Tensor& x);", source, functions="l1_norm")


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.l1_norm(x)
