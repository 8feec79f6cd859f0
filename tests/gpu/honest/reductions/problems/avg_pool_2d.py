# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.avg_pool = nn.AvgPool2d(kernel_size=kernel_size)

    def forward(self, x):
        return self.avg_pool(x)


batch_size = 16
channels = 64
height = 256
width = 256


def get_inputs():
    return [torch.rand(batch_size, channels, height, width)]


def get_init_inputs():
    return [11]
