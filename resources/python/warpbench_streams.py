# SPDX-License-Identifier: Apache-2.0
"""BackendBench's own search for streams in a kernel's text."""

import ast
import inspect
import re

_stream_patterns = [
    r"torch\.cuda\.Stream\(", r"cupy\.cuda\.Stream\(", r"cuda\.Stream\(", r"pycuda.*Stream\(", r"\bStream\(",
    r"make_stream\(", r"create_stream\(",
]  # fmt: skip


def mentions_stream(function):
    """BackendBench's own search for streams in the text of the wrapper function, word for word."""
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        return False
    if any(re.search(pattern, source, re.IGNORECASE) for pattern in _stream_patterns):
        return True
    try:
        tree = ast.parse(inspect.cleandoc(source) if source[:1] == " " else source)
    except SyntaxError:
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            if getattr(called, "attr", getattr(called, "id", "")) == "Stream":
                return True
    return False
