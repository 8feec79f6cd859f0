# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, predictions, targets):
        return torch.mean(torch.clamp(1 - predictions * targets, min=0))


batch_size = 8192
width = 4096


def get_inputs():
    return [torch.rand(batch_size, width), torch.randint(0, 2, (batch_size,)).float()[:, None] * 2 - 1]


def get_init_inputs():
    return []
