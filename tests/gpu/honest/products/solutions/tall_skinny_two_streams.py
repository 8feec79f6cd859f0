# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = torch.cuda.Stream() if torch.cuda.is_available() else None

    def forward(self, A, B):
        C = torch.empty((A.shape[0], B.shape[1]), device=A.device, dtype=A.dtype)
        half = A.shape[0] // 2
        if not A.is_cuda:
            torch.mm(A[:half], B, out=C[:half])
            torch.mm(A[half:], B, out=C[half:])
            return C
        here = torch.cuda.current_stream()
        self.side.wait_stream(here)
        with torch.cuda.stream(self.side):
            torch.mm(A[half:], B, out=C[half:])
        torch.mm(A[:half], B, out=C[:half])
        here.wait_stream(self.side)
        C.record_stream(self.side)
        return C
