# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

# A is symmetric, so its columns are read as rows, which coalesces.
source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void symmetric_kernel(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    __shared__ float As[16][17];
    __shared__ float Bs[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.f;
    for (int k0 = 0; k0 < n; k0 += 16) {
        const int m = blockIdx.y * 16 + tx;
        As[ty][tx] = (k0 + ty < n && m < n) ? A[(k0 + ty) * n + m] : 0.f;
        Bs[ty][tx] = (k0 + ty < n && col < n) ? B[(k0 + ty) * n + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum = fmaf(As[k][ty], Bs[k][tx], sum);
        __syncthreads();
    }
    if (row < n && col < n) C[row * n + col] = sum;
}

torch::Tensor symmetric_matmul(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(A.is_cuda() && A.is_contiguous() && B.is_contiguous(), "contiguous CUDA tensors");
    const int n = A.size(0);
    auto C = torch::empty_like(A);
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    symmetric_kernel<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return C;
}
"""

extension = load_inline(
    name="symmetric",
    cpp_sources="torch::Tensor symmetric_matmul(torch::Tensor A, torch::Tensor B);",
    cuda_sources=source,
    functions=["symmetric_matmul"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, A, B):
        return extension.symmetric_matmul(A.contiguous(), B.contiguous())
