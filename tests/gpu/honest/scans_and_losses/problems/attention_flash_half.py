# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, Q, K, V):
        return torch.nn.functional.scaled_dot_product_attention(Q, K, V)


batch_size = 8
heads = 16
length = 1024
width = 64


def get_inputs():
    shape = (batch_size, heads, length, width)
    return [torch.randn(shape, dtype=torch.float16) for _ in range(3)]


def get_init_inputs():
    return []
