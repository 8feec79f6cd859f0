# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """With stride 1 it is a convolution with the kernel turned round."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv_transpose2d = nn.ConvTranspose2d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        w = self.conv_transpose2d.weight
        return F.conv2d(x, w.flip(2, 3).transpose(0, 1), padding=w.shape[-1] - 1)
