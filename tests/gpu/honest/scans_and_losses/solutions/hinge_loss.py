# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def forward(self, predictions, targets):
        return (
            torch.addcmul(torch.ones((), device=predictions.device), predictions, targets, value=-1)
            .clamp_(min=0)
            .mean()
        )
