# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, output_padding, groups):
        super().__init__()
        self.conv_transpose3d = nn.ConvTranspose3d(
            in_channels,
            out_channels,
            kernel_size,
            stride=stride,
            padding=padding,
            output_padding=output_padding,
            groups=groups,
            bias=False,
        )

    def forward(self, x):
        return self.conv_transpose3d(x)


batch_size = 4
depth = 12
height = 24
width = 48


def get_inputs():
    return [torch.rand(batch_size, 32, depth, height, width)]


def get_init_inputs():
    return [32, 32, (3, 5, 7), (2, 2, 2), (1, 2, 3), (1, 1, 1), 4]
