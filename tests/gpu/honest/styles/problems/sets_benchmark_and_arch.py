# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 32, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x))


n = 1000000


def get_inputs():
    return [torch.rand(8, 16, n // 1000, 200)]


def get_init_inputs():
    return []
