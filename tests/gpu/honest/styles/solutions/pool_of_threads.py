# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


from concurrent.futures import ThreadPoolExecutor


class ModelNew(nn.Module):
    """Two threads enqueue a half each, on the caller's stream; both have ended their work when the call returns."""

    def __init__(self):
        super().__init__()
        self.pool = ThreadPoolExecutor(2)

    def forward(self, x, y):
        out = torch.empty((x.shape[0], y.shape[1]), device=x.device, dtype=x.dtype)
        stream = torch.cuda.current_stream() if x.is_cuda else None
        half = x.shape[0] // 2

        def part(rows):
            with torch.no_grad():
                if stream is None:
                    torch.mm(x[rows], y, out=out[rows])
                    return
                with torch.cuda.device(x.device), torch.cuda.stream(stream):
                    torch.mm(x[rows], y, out=out[rows])

        list(self.pool.map(part, [slice(0, half), slice(half, None)]))
        return out
