# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

# One launch: all blocks add up their parts, wait for one another, and divide.
source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cooperative_groups.h>

__global__ void normalise_kernel(const float* x, float* y, float* part, int n) {
    __shared__ float warps[8];
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    float sum = 0.f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += x[i];
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0.f;
        for (int w = 0; w < 8; ++w) sum += warps[w];
        part[blockIdx.x] = sum;
    }
    grid.sync();
    sum = 0.f;
    for (int i = 0; i < gridDim.x; ++i) sum += part[i];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = x[i] / sum;
}

torch::Tensor normalise(torch::Tensor x) {
    auto y = torch::empty_like(x);
    auto part = torch::empty({128}, x.options());
    const float* in = x.data_ptr<float>();
    float* out = y.data_ptr<float>();
    float* parts = part.data_ptr<float>();
    int n = x.numel();
    void* given[] = {&in, &out, &parts, &n};
    C10_CUDA_CHECK(cudaLaunchCooperativeKernel((void*)normalise_kernel, dim3(128), dim3(256), given, 0, at::cuda::getCurrentCUDAStream()));
    return y;
}
"""

ext = load_inline("normalise", "torch::Tensor normalise(torch::Tensor x);", source, functions=["normalise"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.normalise(x.contiguous())
