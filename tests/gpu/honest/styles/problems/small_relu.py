# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)


dim = 16384


def get_inputs():
    return [torch.randn(16, dim)]


def get_init_inputs():
    return []
