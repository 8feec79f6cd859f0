# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

# cuBLAS by torch's handle, into memory that the extension has taken itself and keeps.
source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void add_one(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1.0f;
}

torch::Tensor mm_plus_one(torch::Tensor A, torch::Tensor B) {
    static float* scratch = nullptr;
    static int64_t room = 0;
    const int m = A.size(0), k = A.size(1), n = B.size(1);
    if (room < (int64_t)m * n) {
        if (scratch) cudaFree(scratch);
        room = (int64_t)m * n;
        TORCH_CHECK(cudaMalloc(&scratch, room * sizeof(float)) == cudaSuccess, "no memory");
    }
    auto C = torch::empty({m, n}, A.options());
    const float one = 1.f, zero = 0.f;
    cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B.data_ptr<float>(), n, A.data_ptr<float>(), k, &zero, scratch, n);
    add_one<<<(m * n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(scratch, C.data_ptr<float>(), m * n);
    return C;
}
"""

ext = load_inline(
    "mm_plus_one", "torch::Tensor mm_plus_one(torch::Tensor A, torch::Tensor B);", source, functions=["mm_plus_one"]
)


class ModelNew(nn.Module):
    def forward(self, A, B):
        return ext.mm_plus_one(A.contiguous(), B.contiguous())
