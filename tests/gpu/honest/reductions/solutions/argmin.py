# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

// A thread has a column; of equal values the first counts, as in torch.
__global__ void argmin_kernel(const float* x, int64_t* y, int M, int N, int total) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= total) return;
    const float* in = x + (size_t)(column / N) * M * N + column % N;
    float best = in[0];
    int at = 0;
    for (int m = 1; m < M; ++m) {
        const float v = in[(size_t)m * N];
        if (v < best) { best = v; at = m; }
    }
    y[column] = at;
}

torch::Tensor argmin_cuda(torch::Tensor x) {
    const int B = x.size(0), M = x.size(1), N = x.size(2);
    auto y = torch::empty({B, N}, x.options().dtype(torch::kLong));
    argmin_kernel<<<(B * N + 63) / 64, 64, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<int64_t>(), M, N, B * N);
    return y;
}
"""

ext = load_inline("argmin_ext", "torch::Tensor argmin_cuda(torch::Tensor x);", source, functions=["argmin_cuda"])


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        assert dim == 1

    def forward(self, x):
        return ext.argmin_cuda(x.contiguous())
