# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv3d = nn.Conv3d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        return self.conv3d(x)


batch_size = 8
depth = 48


def get_inputs():
    return [torch.rand(batch_size, 3, depth, depth, depth)]


def get_init_inputs():
    return [3, 64, 3]
