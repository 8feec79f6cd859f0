# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, A, s: float):
        return A * s


M = 16384
N = 4000


def get_inputs():
    return [torch.rand(M, N), 3.14]


def get_init_inputs():
    return []
