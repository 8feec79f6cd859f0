# Title: ReLU in Triton
# Summary: A Triton kernel with the function that launches it; interpreted where there is no GPU.
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    tl.store(out + at, tl.where(value < 0, 0, value), mask=inside)


# The operator comes from the function's name: relu_kernel_impl implements aten::relu.
def relu_kernel_impl(self):
    self = self.contiguous()
    out = torch.empty_like(self)
    n = self.numel()
    if n > 0:
        relu_kernel[(triton.cdiv(n, 1024),)](self, out, n, BLOCK=1024)
    return out
