# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.avg_pool = nn.AvgPool3d(kernel_size=kernel_size, stride=stride, padding=padding)

    def forward(self, x):
        return self.avg_pool(x)


batch_size = 8
channels = 16
dim = 64


def get_inputs():
    return [torch.rand(batch_size, channels, dim, dim, dim)]


def get_init_inputs():
    return [3, 2, 1]
