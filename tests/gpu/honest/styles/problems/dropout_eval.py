# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 64), nn.LogSoftmax(dim=-1))

    def forward(self, x):
        return self.layers(x)


n = 4096


def get_inputs():
    return [torch.randn(n, 512)]


def get_init_inputs():
    return []
