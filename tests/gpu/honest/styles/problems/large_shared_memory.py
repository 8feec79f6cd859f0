# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1)


rows = 2048
dim = 16384


def get_inputs():
    return [torch.randn(rows, dim)]


def get_init_inputs():
    return []
