# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, num_features: int):
        super().__init__()
        self.inorm = nn.InstanceNorm2d(num_features=num_features)

    def forward(self, x):
        return self.inorm(x)


batch_size = 32
features = 64
dim = 128


def get_inputs():
    return [torch.rand(batch_size, features, dim, dim)]


def get_init_inputs():
    return [features]
