# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void transposed_kernel(const float* x, const float* w, const float* bias, float* y, int C, int L, int O, int OL,
                                  int K, int stride, int padding, int dilation) {
    const int l = blockIdx.x * blockDim.x + threadIdx.x;
    const int o = blockIdx.y;
    const int n = blockIdx.z;
    if (l >= OL) return;
    float sum = bias ? bias[o] : 0.f;
    for (int k = 0; k < K; ++k) {
        const int at = l + padding - k * dilation;
        if (at < 0 || at % stride != 0 || at / stride >= L) continue;
        const float* in = x + (size_t)n * C * L + at / stride;
        for (int c = 0; c < C; ++c) sum = fmaf(in[(size_t)c * L], w[(c * O + o) * K + k], sum);
    }
    y[((size_t)n * O + o) * OL + l] = sum;
}

torch::Tensor transposed(torch::Tensor x, torch::Tensor w, std::optional<torch::Tensor> bias, int64_t stride, int64_t padding, int64_t dilation) {
    const int B = x.size(0), C = x.size(1), L = x.size(2), O = w.size(1), K = w.size(2);
    const int OL = (L - 1) * stride - 2 * padding + dilation * (K - 1) + 1;
    auto y = torch::empty({B, O, OL}, x.options());
    dim3 grid((OL + 255) / 256, O, B);
    transposed_kernel<<<grid, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), w.data_ptr<float>(), bias ? bias->data_ptr<float>() : nullptr, y.data_ptr<float>(), C, L, O, OL, K,
        (int)stride, (int)padding, (int)dilation);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

ext = load_inline(
    name="conv_transposed1d",
    cuda_sources=source,
    functions=["transposed"],
    cpp_sources="torch::Tensor transposed(torch::Tensor x, torch::Tensor w, std::optional<torch::Tensor> bias, int64_t stride, int64_t padding, int64_t dilation);",
)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation):
        super().__init__()
        self.conv1d_transpose = nn.ConvTranspose1d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation
        )

    def forward(self, x):
        layer = self.conv1d_transpose
        return ext.transposed(
            x.contiguous(), layer.weight, layer.bias, layer.stride[0], layer.padding[0], layer.dilation[0]
        )
