# SPDX-License-Identifier: Apache-2.0
"""Which modules Warpbench has made of a request of the evaluation server (core/jobs/evaluation). What it needs is bound
here at start, so that a kernel that patches modules changes nothing."""

import json

_loads = json.loads
first_line = "# Warpbench made this of a request."  # how modules begin that are nobody's own
# What stands around a request in the module of its reference.
_begin = first_line + "\nimport warpbench_requests\n\nrequest = warpbench_requests.Reference("
_end = """)
Model, get_inputs, gives_list = request.model, request.inputs, True
trials, same_inputs = request.trials, request.same_inputs
"""


def is_of_request(text):
    """Whether Warpbench made a reference's module of a request. Anybody can begin a text as it does, so there is nothing
    but the request in it."""
    if not text.startswith(_begin) or not text.endswith(_end):
        return False
    try:
        return isinstance(_loads(text[len(_begin) : -len(_end)]), str)
    except ValueError:
        return False
