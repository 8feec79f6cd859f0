# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv2d = nn.Conv2d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        return self.conv2d(x)


batch_size = 16
height = 128
width = 128


def get_inputs():
    return [torch.rand(batch_size, 32, height, width)]


def get_init_inputs():
    return [32, 64, (5, 9)]
