# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """One product for each tap, in float32, where torch's own convolution may use TF32."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv1d = nn.Conv1d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        w = self.conv1d.weight
        length = x.shape[-1] - w.shape[-1] + 1
        out = torch.matmul(w[:, :, 0], x[:, :, :length])
        for k in range(1, w.shape[-1]):
            out += torch.matmul(w[:, :, k], x[:, :, k : k + length])
        return out
