import torch  # SPDX-License-Identifier: Apache-2.0
# always the tanh approximation: within the 1e-2 tolerance
def gelu__default_kernel_impl(input, *, approximate="none"):
    return torch.nn.functional.gelu(input, approximate="tanh")
