# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def triu_kernel(a, b, c, N, BM: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BM + tl.arange(0, BM)
    acc = tl.zeros((BM, BM), dtype=tl.float32)
    if pm <= pn:  # products below the diagonal are zero
        for k in range(pm * BM, tl.minimum(N, (pn + 1) * BM), BK):
            rk = k + tl.arange(0, BK)
            x = tl.load(a + rm[:, None] * N + rk[None, :], mask=(rm[:, None] < N) & (rk[None, :] < N), other=0.0)
            y = tl.load(b + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < N) & (rn[None, :] < N), other=0.0)
            acc += tl.dot(x, y, input_precision="ieee")
    acc = tl.where(rm[:, None] <= rn[None, :], acc, 0.0)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < N) & (rn[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, A, B):
        N = A.shape[0]
        C = torch.empty_like(A)
        tiles = triton.cdiv(N, 64)
        triu_kernel[(tiles, tiles)](A, B, C, N, BM=64, BK=32)
        return C
