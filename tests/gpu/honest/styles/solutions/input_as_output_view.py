# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """The reference gives a view; this gives a copy of its own, which is as right."""

    def forward(self, x):
        return x.transpose(1, 2).contiguous()
