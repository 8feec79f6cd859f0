# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation):
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation
        )

    def forward(self, x):
        return self.conv2d(x)


batch_size = 4
size = 128


def get_inputs():
    return [torch.rand(batch_size, 32, size, size)]


def get_init_inputs():
    return [32, 64, (5, 9), 1, (2, 4), (2, 3)]
