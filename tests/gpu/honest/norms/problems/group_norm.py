# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, num_features: int, num_groups: int):
        super().__init__()
        self.gn = nn.GroupNorm(num_groups=num_groups, num_channels=num_features)

    def forward(self, x):
        return self.gn(x)


batch_size = 32
features = 64
num_groups = 8
dim = 128


def get_inputs():
    return [torch.rand(batch_size, features, dim, dim)]


def get_init_inputs():
    return [features, num_groups]
