# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv1d = nn.Conv1d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        return self.conv1d(x)


batch_size = 16
length = 8192


def get_inputs():
    return [torch.rand(batch_size, 64, length)]


def get_init_inputs():
    return [64, 128, 3]
