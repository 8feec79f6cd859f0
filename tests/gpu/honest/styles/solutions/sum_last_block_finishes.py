# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

# The block that comes last adds up what all have written; the counter is put back to 0 for the next call.
source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__device__ float total_of_block(float v) {
    __shared__ float warps[8];
    __syncthreads();
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0.f;
    for (int w = 0; w < 8; ++w) v += warps[w];
    return v;
}

__global__ void sum_kernel(const float* x, float* part, unsigned* counter, float* out, long n) {
    __shared__ bool last;
    float sum = 0.f;
    for (long i = blockIdx.x * 256l + threadIdx.x; i < n; i += gridDim.x * 256l) sum += x[i];
    sum = total_of_block(sum);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    sum = 0.f;
    for (int i = threadIdx.x; i < gridDim.x; i += 256) sum += __ldcg(part + i);
    sum = total_of_block(sum);
    if (threadIdx.x == 0) {
        *out = sum;
        *counter = 0;
    }
}

torch::Tensor sum_all(torch::Tensor x, torch::Tensor part, torch::Tensor counter) {
    auto out = torch::empty({}, x.options());
    sum_kernel<<<528, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), part.data_ptr<float>(), reinterpret_cast<unsigned*>(counter.data_ptr<int>()), out.data_ptr<float>(), x.numel());
    return out;
}
"""

ext = load_inline(
    "sum_all",
    "torch::Tensor sum_all(torch::Tensor x, torch::Tensor part, torch::Tensor counter);",
    source,
    functions=["sum_all"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("part", torch.empty(528))
        self.register_buffer("counter", torch.zeros(1, dtype=torch.int32))

    def forward(self, x):
        return ext.sum_all(x.contiguous(), self.part, self.counter)
