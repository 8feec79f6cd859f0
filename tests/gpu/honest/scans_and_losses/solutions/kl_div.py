# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def forward(self, predictions, targets):
        ratio = torch.log(targets)
        ratio.sub_(torch.log(predictions)).mul_(targets)
        return ratio.sum(dim=1).sum() / predictions.shape[0]
