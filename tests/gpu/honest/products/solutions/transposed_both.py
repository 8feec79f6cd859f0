# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """(B A)^T is A^T B^T, so one product and a view that is made contiguous; scratch is kept for the next call."""

    def __init__(self):
        super().__init__()
        self.scratch = {}

    def forward(self, A, B):
        key = (B.shape[0], A.shape[1], A.dtype, A.device)
        if key not in self.scratch:
            self.scratch[key] = torch.empty((B.shape[0], A.shape[1]), device=A.device, dtype=A.dtype)
        product = torch.mm(B, A, out=self.scratch[key])
        return product.t().contiguous()
