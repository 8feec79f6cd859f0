# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.max(x, dim=1).values, torch.sum(x, dim=1)


batch = 8192
dim = 2048


def get_inputs():
    return [torch.randn(batch, dim)]


def get_init_inputs():
    return []
