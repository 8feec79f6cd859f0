# SPDX-License-Identifier: Apache-2.0
# Device: cuda
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

import os

os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"
torch.backends.cudnn.benchmark = True  # changes a setting of the process: that may be named, and is no reproach

source = """
#include <torch/extension.h>

__global__ void relu_(float* x, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] > 0 ? x[i] : 0;
}

void relu_in_place(torch::Tensor x) {
    relu_<<<(x.numel() + 511) / 512, 512>>>(x.data_ptr<float>(), x.numel());
}
"""

ext = load_inline("relu_in_place", "void relu_in_place(torch::Tensor x);", source, functions=["relu_in_place"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 32, 3, padding=1)

    def forward(self, x):
        y = self.conv(x)
        ext.relu_in_place(y)
        return y
