# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv_transpose3d = nn.ConvTranspose3d(in_channels, out_channels, kernel_size, bias=False)
        self.graph = None

    def forward(self, x):
        if not x.is_cuda:
            return self.conv_transpose3d(x)
        if self.graph is None:
            self.x = torch.empty_like(x)
            self.x.copy_(x)
            with torch.no_grad():
                side = torch.cuda.Stream()
                side.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(side):
                    for _ in range(2):
                        self.conv_transpose3d(self.x)
                torch.cuda.current_stream().wait_stream(side)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    self.y = self.conv_transpose3d(self.x)
            self.graph = graph
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()
