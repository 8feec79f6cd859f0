# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def partial_moments(x, part, N, chunk, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    piece = tl.program_id(1)
    shift = tl.load(x + row * N)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    square = tl.zeros((BLOCK,), dtype=tl.float32)
    for begin in range(piece * chunk, (piece + 1) * chunk, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        inside = (at < N) & (at < (piece + 1) * chunk)
        v = tl.where(inside, tl.load(x + row * N + at, mask=inside, other=0.0) - shift, 0.0)
        total += v
        square += v * v
    tl.store(part + (row * PARTS + piece) * 2, tl.sum(total, axis=0))
    tl.store(part + (row * PARTS + piece) * 2 + 1, tl.sum(square, axis=0))


@triton.jit
def normalise(x, y, part, weight, bias, N, eps, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    pieces = tl.arange(0, PARTS)
    shift = tl.load(x + row * N)
    mean = tl.sum(tl.load(part + (row * PARTS + pieces) * 2), axis=0) / N
    variance = tl.sum(tl.load(part + (row * PARTS + pieces) * 2 + 1), axis=0) / N - mean * mean
    v = tl.load(x + row * N + at, mask=at < N) - shift
    w = tl.load(weight + at, mask=at < N)
    b = tl.load(bias + at, mask=at < N)
    tl.store(y + row * N + at, (v - mean) * tl.rsqrt(variance + eps) * w + b, mask=at < N)


class ModelNew(nn.Module):
    def __init__(self, normalized_shape: tuple):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)
        self.part = None

    def forward(self, x):
        N = self.ln.weight.numel()
        rows = x.numel() // N
        if self.part is None or self.part.numel() < rows * 64 or self.part.device != x.device:
            self.part = torch.empty(rows * 64, device=x.device, dtype=torch.float32)
        y = torch.empty_like(x)
        partial_moments[(rows, 32)](x, self.part, N, triton.cdiv(N, 32), PARTS=32, BLOCK=2048)
        normalise[(rows, triton.cdiv(N, 2048))](
            x, y, self.part, self.ln.weight, self.ln.bias, N, self.ln.eps, PARTS=32, BLOCK=2048
        )
        return y
