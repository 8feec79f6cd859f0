# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void avg_pool2d_kernel(const float* input, float* output, int H, int W, int OH, int OW, int k, int total) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= total) return;
    const int ow = idx % OW, oh = (idx / OW) % OH, plane = idx / (OW * OH);
    float sum = 0.0f;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) sum += input[(plane * H + oh * k + a) * W + ow * k + b];
    output[idx] = sum / (k * k);
}

torch::Tensor avg_pool2d_cuda(torch::Tensor input, int kernel_size) {
    const int H = input.size(2), W = input.size(3), OH = H / kernel_size, OW = W / kernel_size;
    auto output = torch::zeros({input.size(0), input.size(1), OH, OW}, input.options());
    const int total = output.numel();
    avg_pool2d_kernel<<<(total + 127) / 128, 128>>>(input.data_ptr<float>(), output.data_ptr<float>(), H, W, OH, OW, kernel_size, total);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("kernel launch failed: %s\\n", cudaGetErrorString(error));
    return output;
}
"""

avg_pool2d = load_inline(
    name="avg_pool2d",
    cpp_sources="torch::Tensor avg_pool2d_cuda(torch::Tensor input, int kernel_size);",
    cuda_sources=source,
    functions=["avg_pool2d_cuda"],
    verbose=True,
)


class ModelNew(nn.Module):
    def __init__(self, kernel_size):
        super(ModelNew, self).__init__()
        self.kernel_size = kernel_size

    def forward(self, x):
        return avg_pool2d.avg_pool2d_cuda(x, self.kernel_size)
