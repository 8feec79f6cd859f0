# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    batch = tl.program_id(1).to(tl.int64)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BN,), dtype=tl.float32)
    for begin in range(0, M, BM):
        m = begin + tl.arange(0, BM)
        v = tl.load(
            x + batch * M * N + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N), other=0.0
        )
        acc += tl.sum(v, axis=0)
    tl.store(y + batch * N + n, acc, mask=n < N)


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        B, M, N = x.shape
        y = torch.empty((B, 1, N), device=x.device, dtype=x.dtype)
        sum_kernel[(triton.cdiv(N, 64), B)](x, y, M, N, BM=64, BN=64)
        return y
