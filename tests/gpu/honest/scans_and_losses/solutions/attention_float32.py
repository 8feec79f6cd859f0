# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """Scores are scaled and normalised in place, in memory of the call's own."""

    def forward(self, Q, K, V):
        score = torch.matmul(Q, K.transpose(-2, -1))
        score.mul_(Q.shape[-1] ** -0.5)
        score.sub_(score.amax(dim=-1, keepdim=True)).exp_()
        score.div_(score.sum(dim=-1, keepdim=True))
        return torch.matmul(score, V)
