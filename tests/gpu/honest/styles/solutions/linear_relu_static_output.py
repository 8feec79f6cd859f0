# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """Weights are transposed once, in the first call, as inference engines do; it says so on standard output."""

    def __init__(self, features, outputs):
        super().__init__()
        self.linear = nn.Linear(features, outputs)
        self.packed = None

    @torch.inference_mode()
    def forward(self, x):
        if self.packed is None:
            print("packing weights", tuple(self.linear.weight.shape))
            self.packed = self.linear.weight.detach().t().contiguous()
        return torch.addmm(self.linear.bias, x, self.packed).relu_()
