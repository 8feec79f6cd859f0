# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def rows_kernel(d, b, c, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(d + row)
    tl.store(c + row * N + at, value * tl.load(b + row * N + at, mask=at < N), mask=at < N)


class ModelNew(nn.Module):
    def forward(self, A, B):
        B = B.contiguous()
        C = torch.empty_like(B)
        rows_kernel[(B.shape[0], triton.cdiv(B.shape[1], 1024))](A, B, C, B.shape[1], BLOCK=1024)
        return C
