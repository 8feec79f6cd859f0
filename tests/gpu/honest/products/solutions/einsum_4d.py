# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def forward(self, A, B):
        out = torch.empty(A.shape[:-1] + (B.shape[1],), device=A.device, dtype=A.dtype)
        torch.mm(A.reshape(-1, A.shape[-1]), B, out=out.view(-1, B.shape[1]))
        return out
