# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        norm = torch.norm(x, p="fro")
        return x / norm


batch_size = 32
features = 64
dim = 128


def get_inputs():
    return [torch.rand(batch_size, features, dim, dim)]


def get_init_inputs():
    return []
