# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        scale = torch.arange(1, x.shape[1] + 1, device=x.device, dtype=x.dtype)
        return x * scale


dim = 4096


def get_inputs():
    return [torch.randn(512, dim)]


def get_init_inputs():
    return []
