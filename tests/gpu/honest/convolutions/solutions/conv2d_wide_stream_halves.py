# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """Halves of the batch on two streams, joined by events."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv2d = nn.Conv2d(in_channels, out_channels, kernel_size, bias=False)
        if torch.cuda.is_available():
            self.streams = [torch.cuda.Stream(), torch.cuda.Stream()]

    def forward(self, x):
        half = (x.shape[0] + 1) // 2
        if not x.is_cuda:
            return torch.cat([self.conv2d(part) for part in x.split(half)])
        ready = torch.cuda.current_stream().record_event()
        parts, done = [], []
        for stream, part in zip(self.streams, x.split(half)):
            with torch.cuda.stream(stream):
                stream.wait_event(ready)
                part.record_stream(stream)
                parts.append(self.conv2d(part))
                done.append(stream.record_event())
        for event, part in zip(done, parts):
            torch.cuda.current_stream().wait_event(event)
            part.record_stream(torch.cuda.current_stream())
        return torch.cat(parts)
