# Title: Softmax in Triton
# Summary: One program a row, the row held in registers; long rows and other dimensions go to ATen.
import torch
import triton
import triton.language as tl

LONGEST_ROW = 1 << 14


@triton.jit
def softmax_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=-float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * columns + at, value / tl.sum(value, axis=0), mask=inside)


def _softmax_kernel_impl(self, dim, half_to_float=False):
    last = self.dim() > 0 and dim % self.dim() == self.dim() - 1
    columns = self.size(-1) if self.dim() > 0 else 0
    narrow = self.dtype in (torch.float16, torch.bfloat16, torch.float32)
    if not last or not narrow or half_to_float or not 0 < columns <= LONGEST_ROW or self.numel() == 0:
        return torch.ops.aten._softmax.default(self, dim, half_to_float)
    x = self.contiguous()
    out = torch.empty_like(x)
    softmax_rows[(x.numel() // columns,)](x, out, columns, BLOCK=triton.next_power_of_2(columns))
    return out
