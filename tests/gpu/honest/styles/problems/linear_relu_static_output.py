# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.linear = nn.Linear(features, outputs)

    def forward(self, x):
        return torch.relu(self.linear(x))


batch = 1024
features = 1024
outputs = 2048


def get_inputs():
    return [torch.randn(batch, features)]


def get_init_inputs():
    return [features, outputs]
