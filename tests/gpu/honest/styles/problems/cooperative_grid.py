# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x / x.sum()


n = 4000000


def get_inputs():
    return [torch.rand(n) + 0.1]


def get_init_inputs():
    return []
