# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, margin=1.0):
        super().__init__()
        self.loss_fn = torch.nn.TripletMarginLoss(margin=margin)

    def forward(self, anchor, positive, negative):
        return self.loss_fn(anchor, positive, negative)


batch_size = 8192
width = 4096


def get_inputs():
    scale = torch.rand(())
    return [torch.rand(batch_size, width) * scale, torch.rand(batch_size, width), torch.rand(batch_size, width)]


def get_init_inputs():
    return [1.0]
