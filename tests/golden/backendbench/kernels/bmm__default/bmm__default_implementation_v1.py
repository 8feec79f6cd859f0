import torch  # SPDX-License-Identifier: Apache-2.0
# no function of the expected name: load error, op is not in the backend
def bmm_kernel(a, b):
    return a @ b
