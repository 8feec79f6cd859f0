# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def rms_kernel(x, y, C, S, eps, BLOCK: tl.constexpr, CB: tl.constexpr):
    n = tl.program_id(1).to(tl.int64)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.arange(0, CB)
    where = n * C * S + c[:, None] * S + at[None, :]
    inside = (c[:, None] < C) & (at[None, :] < S)
    v = tl.load(x + where, mask=inside, other=0.0)
    rms = tl.sqrt(tl.sum(v * v, axis=0) / C + eps)
    tl.store(y + where, v / rms[None, :], mask=inside)


class ModelNew(nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        y = torch.empty_like(x)
        N, C, H, W = x.shape
        rms_kernel[(triton.cdiv(H * W, 64), N)](x, y, C, H * W, self.eps, BLOCK=64, CB=triton.next_power_of_2(C))
        return y
