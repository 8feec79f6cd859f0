# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv_transpose3d = nn.ConvTranspose3d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        return self.conv_transpose3d(x)


batch_size = 4
size = 32


def get_inputs():
    return [torch.rand(batch_size, 48, size, size, size)]


def get_init_inputs():
    return [48, 48, 3]
