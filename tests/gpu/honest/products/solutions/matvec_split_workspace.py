# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def partial_kernel(a, b, part, K, chunk, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    piece = tl.program_id(1)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    begin = piece * chunk
    for k in range(0, chunk, BLOCK):
        at = begin + k + tl.arange(0, BLOCK)
        inside = (at < K) & (at < begin + chunk)
        acc += tl.load(a + row * K + at, mask=inside, other=0.0) * tl.load(b + at, mask=inside, other=0.0)
    tl.store(part + row * SPLIT + piece, tl.sum(acc, axis=0))


@triton.jit
def finish_kernel(part, c, SPLIT: tl.constexpr):
    row = tl.program_id(0)
    tl.store(c + row, tl.sum(tl.load(part + row * SPLIT + tl.arange(0, SPLIT)), axis=0))


class ModelNew(nn.Module):
    SPLIT = 16

    def __init__(self):
        super().__init__()
        self.workspace = None  # kept between calls; every element is written before it is read

    def forward(self, A, B):
        M, K = A.shape
        if self.workspace is None or self.workspace.numel() < M * self.SPLIT:
            self.workspace = torch.empty(M * self.SPLIT, device=A.device, dtype=torch.float32)
        C = torch.empty((M, 1), device=A.device, dtype=A.dtype)
        partial_kernel[(M, self.SPLIT)](
            A, B, self.workspace, K, triton.cdiv(K, self.SPLIT), SPLIT=self.SPLIT, BLOCK=1024
        )
        finish_kernel[(M,)](self.workspace, C, SPLIT=self.SPLIT)
        return C
