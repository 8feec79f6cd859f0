# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """A graph for each shape; its own memory for input and output, and the answer is a copy."""

    def __init__(self):
        super().__init__()
        self.graphs = {}

    @staticmethod
    def compute(x):
        negative = torch.expm1(x.clamp(max=0)).mul_(1.6732632423543772)
        return negative.add_(x.clamp(min=0)).mul_(1.0507009873554805)

    def forward(self, x):
        if not x.is_cuda:
            return self.compute(x)
        key = (x.shape, x.dtype, x.device)
        if key not in self.graphs:
            given = x.clone()
            torch.cuda.synchronize()
            side = torch.cuda.Stream()
            with torch.cuda.stream(side):
                for _ in range(3):
                    self.compute(given)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                answer = self.compute(given)
            self.graphs[key] = graph, given, answer
        graph, given, answer = self.graphs[key]
        given.copy_(x)
        graph.replay()
        return answer.clone()
