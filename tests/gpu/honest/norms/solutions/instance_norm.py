# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def instance_norm_kernel(x, y, S, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + plane * S + at, mask=at < S, other=0.0)
    mean = tl.sum(v, axis=0) / S
    d = tl.where(at < S, v - mean, 0.0)
    inverse = tl.rsqrt(tl.sum(d * d, axis=0) / S + eps)
    tl.store(y + plane * S + at, d * inverse, mask=at < S)


class ModelNew(nn.Module):
    def __init__(self, num_features: int):
        super().__init__()
        self.eps = 1e-5

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        S = x.shape[2] * x.shape[3]
        instance_norm_kernel[(x.shape[0] * x.shape[1],)](
            x, y, S, self.eps, BLOCK=triton.next_power_of_2(S), num_warps=16
        )
        return y
