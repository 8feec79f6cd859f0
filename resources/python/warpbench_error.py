# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a kernel or a problem."""


class KernelError(Exception):
    """What is wrong with a kernel, in words for its author."""

    def __init__(self, message, hint="", line=0):
        super().__init__(message)
        self.hint = hint
        self.line = line
