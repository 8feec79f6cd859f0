# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def cumsum_kernel(x, y, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    carry = 0.0
    for begin in range(0, N, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + row * N + at, mask=at < N, other=0.0)
        tl.store(y + row * N + at, tl.cumsum(v, axis=0) + carry, mask=at < N)
        carry += tl.sum(v, axis=0)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        y = torch.empty_like(x)
        cumsum_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=2048)
        return y
