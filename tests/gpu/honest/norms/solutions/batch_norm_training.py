# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def moments_kernel(x, mean, scale, weight, running_mean, running_var, momentum, N, C, S, eps, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    square = tl.zeros((BLOCK,), dtype=tl.float32)
    shift = tl.load(x + c * S)  # moments about a first value, so that the variance loses no digits
    for n in range(0, N):
        for begin in range(0, S, BLOCK):
            at = begin + tl.arange(0, BLOCK)
            v = tl.load(x + (n * C + c) * S + at, mask=at < S, other=0.0)
            v = tl.where(at < S, v - shift, 0.0)
            total += v
            square += v * v
    m = tl.sum(total, axis=0) / (N * S)
    variance = tl.sum(square, axis=0) / (N * S) - m * m
    tl.store(mean + c, m + shift)
    tl.store(scale + c, tl.load(weight + c) / tl.sqrt(variance + eps))
    unbiased = variance * (N * S) / (N * S - 1)
    tl.store(running_mean + c, (1 - momentum) * tl.load(running_mean + c) + momentum * (m + shift))
    tl.store(running_var + c, (1 - momentum) * tl.load(running_var + c) + momentum * unbiased)


@triton.jit
def apply_kernel(x, y, mean, scale, bias, C, S, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    c = plane % C
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + plane.to(tl.int64) * S + at, mask=at < S)
    v = (v - tl.load(mean + c)) * tl.load(scale + c) + tl.load(bias + c)
    tl.store(y + plane.to(tl.int64) * S + at, v, mask=at < S)


class ModelNew(nn.Module):
    def __init__(self, num_features: int):
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x):
        x = x.contiguous()
        N, C = x.shape[:2]
        S = x[0, 0].numel()
        mean = torch.empty(C, device=x.device, dtype=torch.float32)
        scale = torch.empty_like(mean)
        y = torch.empty_like(x)
        bn = self.bn
        bn.num_batches_tracked.add_(1)
        moments_kernel[(C,)](x, mean, scale, bn.weight, bn.running_mean, bn.running_var, bn.momentum, N, C, S, bn.eps,
                             BLOCK=2048, num_warps=8)
        apply_kernel[(N * C, triton.cdiv(S, 2048))](x, y, mean, scale, self.bn.bias, C, S, BLOCK=2048)
        return y
