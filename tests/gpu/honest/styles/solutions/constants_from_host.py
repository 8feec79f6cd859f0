# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """Makes a row of numbers on the host in every call and copies it, from pinned memory, on the current stream."""

    def forward(self, x):
        row = torch.arange(1, x.shape[1] + 1, dtype=x.dtype, device="cpu")
        if x.is_cuda:
            row = row.pin_memory()
        return x * row.to(x.device, non_blocking=True)
