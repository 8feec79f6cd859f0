# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, A, B):
        return torch.matmul(A, B)


M = 16384
N = 32


def get_inputs():
    return [torch.rand(M, N), torch.rand(N, M // 4)]


def get_init_inputs():
    return []
