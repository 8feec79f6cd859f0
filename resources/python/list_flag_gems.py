# SPDX-License-Identifier: Apache-2.0
"""Prints which function of flag_gems replaces which ATen operator, as JSON: {"add.Tensor": [module, function], …}.

Nothing lists them in all versions alike, but enable() registers each with torch: it is called with a registration that
only takes notes. Exits with 3 where flag_gems is not installed."""
import importlib
import json
import sys

try:
    import flag_gems
except ModuleNotFoundError as missing:
    if missing.name != "flag_gems":
        raise
    sys.exit(3)

import torch


def importable(function):
    """Where it can be imported from: the package's own list of operators first."""
    for place in ("flag_gems.ops", function.__module__):
        if getattr(importlib.import_module(place), function.__name__, None) is function:
            return [place, function.__name__]
    return None


def main():
    found = {}

    def note(_library, name, function, *_rest, **_keywords):
        name = str(name).removeprefix("aten::")
        name = name.removesuffix(".default")
        if callable(function) and hasattr(function, "__name__"):
            place = importable(function)
            if place:
                found[name] = place

    torch.library.Library.impl = note
    flag_gems.enable()
    print(json.dumps(found))


main()
