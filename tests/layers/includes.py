#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each file includes the headers of ours whose types it names, itself or by what it includes.

The compiler does not see it where headers are precompiled or files are compiled together."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
DEFINED = re.compile(r"^(?:struct|class|enum class) (\w+)\s*(?:final\s*)?(?::(?!:)[^;{]*)?\{", re.M)
# Inside other types, in unnamed namespaces or announced: the name is known without the header.
KNOWN = re.compile(r"\b(?:struct|class|enum class|enum|using|typename|WB_ENUM\() ?(\w+)")
PARAMETER = re.compile(r"\btemplate <[^{;]*?[\w:]+ (\w+)>")
NAMED = re.compile(r"(?<![\w.:>\"])([A-Z]\w+)\b")
NOISE = re.compile(r'^TEST\w*\([^)]*\)|//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|^#[^\n]*', re.M | re.S)


FOR_KERNELS = ("core/engine/compile/standin/", "core/engine/compile/torch_cuda/device/", "core/engine/compile/nvrtc/device/")


def missing(root):
    """Lines such as "core/a.cpp: names Report, but does not include core/model/report.h"."""
    root = pathlib.Path(root)
    texts = {path.relative_to(root).as_posix(): path.read_text(errors="replace")
             for top in ("app", "core", "editor", "ui", "tests") for path in sorted((root / top).rglob("*"))
             if path.suffix in (".h", ".cpp") and path.is_file() and "exploits/" not in path.as_posix()}
    texts = {file: text for file, text in texts.items() if not file.startswith(FOR_KERNELS)}
    homes = {name: file for file, text in texts.items() if file.endswith(".h") for name in DEFINED.findall(text)}
    closures = {}

    def closure(file):
        """All headers of ours that a file includes."""
        if file not in closures:
            closures[file] = set()  # a cycle is another check's finding
            for included in INCLUDE.findall(texts[file]):
                if included in texts:
                    closures[file] |= {included} | closure(included)
        return closures[file]

    known_in = {file: set(KNOWN.findall(text)) | set(PARAMETER.findall(text)) for file, text in texts.items()}
    found = []
    for file, text in texts.items():
        reached = closure(file) | {file}
        bare = NOISE.sub("", text)
        known = set().union(*(known_in[each] for each in reached))
        for name in sorted(set(NAMED.findall(bare)) - known):
            if name in homes and homes[name] not in reached:
                found.append(f"{file}: names {name}, but does not include {homes[name]}")
    return found


if __name__ == "__main__":
    bad = missing(sys.argv[1] if len(sys.argv) > 1 else ".")
    print("\n".join(bad) if bad else "all is included")
    sys.exit(1 if bad else 0)
