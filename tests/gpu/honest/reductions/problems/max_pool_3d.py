# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size, stride, padding, dilation):
        super().__init__()
        self.maxpool = nn.MaxPool3d(kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)

    def forward(self, x):
        return self.maxpool(x)


batch_size = 8
channels = 32
dim = 64


def get_inputs():
    return [torch.rand(batch_size, channels, dim, dim, dim)]


def get_init_inputs():
    return [3, 2, 1, 2]
