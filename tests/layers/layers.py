#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the shape of the tree: which folder includes which, cycles, file sizes, licence lines, names that mean one thing.

The arrows are those of ARCHITECTURE.md ("Folders and arrows")."""
import pathlib
import re
import sys

import includes

# folder -> folders it may include (itself always)
ARROWS = {
    "core/base": set(),
    "core/model": {"core/base"},
    "core/protocol": {"core/model", "core/base"},
    "core/suites": {"core/model", "core/base"},
    "core/templates": {"core/model", "core/base"},
    "core/jobs": {"core/suites", "core/model", "core/base"},
    "core/run": {"core/model", "core/base"},
    "core/targets": {"core/base"},
    "core/runner": {"core/targets", "core/run", "core/protocol", "core/model", "core/base"},
    "core/doctor": {"core/runner", "core/suites", "core/figures", "core/model", "core/base"},
    "core/figures": {"core/model", "core/base"},
    "core/report": {"core/figures", "core/model", "core/base"},
    "core/history": {"core/report", "core/figures", "core/model", "core/base"},
    "core/service": {"core/jobs", "core/templates", "core/runner", "core/doctor", "core/figures", "core/report", "core/history", "core/suites", "core/model", "core/base"},
    "core/engine": {"core/protocol", "core/suites", "core/model", "core/base"},
    "editor": {"core/model", "core/base"},
    "ui": {"core/jobs", "core/targets", "core/templates", "core/doctor", "core/history", "core/runner", "core/figures", "core/report", "core/suites", "core/model", "core/base", "editor"},
    "app/service": {"core/service", "core/doctor", "core/jobs", "core/runner", "core/suites", "core/model", "core/base"},
    "app/cli": {"core/jobs", "core/targets", "core/templates", "core/doctor", "core/runner", "core/figures", "core/report", "core/suites", "core/model", "core/base"},
    "app/worker": {"core/engine", "core/protocol", "core/model", "core/base"},
    "app/reach": {"core/runner", "core/suites", "core/base"},
    "app/workbench": {"ui", "editor", "core/runner", "core/model", "core/base"},
}
# The rooms of core/engine -> the rooms that they may include (themselves always). They stand in the order in which they build on each
# other: `.` is the folder itself, which holds what every room knows. `compile` stands for its own files alone.
ENGINE_ROOMS = {
    ".": set(),
    "device": set(),
    "reference": {"."},
    "cupti": {"device"},
    "sides": {".", "device"},
    "cases": {".", "device", "reference", "sides"},
    "compile": {".", "reference"},
    "compile/text": set(),
    "compile/standin": set(),
    "compile/host": {".", "reference", "compile", "compile/text", "compile/standin"},
    "compile/nvrtc": {"compile"},
    "compile/raw_cuda": {".", "device", "compile", "compile/text", "compile/nvrtc"},
    "compile/torch_cuda": {"device", "reference", "compile", "compile/text", "compile/host", "compile/nvrtc"},
    "guest": {".", "reference", "compile", "compile/host", "compile/torch_cuda", "device", "sides", "profile"},
    "python": {".", "reference", "compile", "compile/host"},
    "check": {".", "device", "reference", "sides", "cases"},
    "time": {".", "device", "reference", "cupti", "sides", "cases", "check"},
    "profile": {".", "device", "reference", "cupti", "sides", "cases"},
    "machine": {".", "device", "reference", "cupti", "compile/host", "compile/nvrtc", "time"},
    "pipeline": {".", "device", "reference", "cupti", "sides", "cases", "compile", "compile/text", "compile/host", "compile/nvrtc", "compile/raw_cuda",
                 "compile/torch_cuda", "guest", "python", "check", "time", "profile", "machine"},
}
ENGINE = "core/engine"
MOST_FILES = 25  # of its own in a folder, its sub-folders not counted
NOT_DIVIDED_YET = ("app/cli", "core/runner")
DATA = ("tests/golden/", "tests/engine/compile/outputs/")
GPL = ("ui/", "editor/", "app/workbench/", "tests/ui/", "tests/editor/")
QT = re.compile(r"^(Q[A-Z]\w*|Qsci/.*)$")
DEVICE = re.compile(r"^(torch/|ATen/|c10/|cupti|nvrtc|cuda\.h|Python\.h)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)\s*(?:final\s*)?(?::(?!:)[^;{]*)?\{", re.M)
# A view or a format that asks for a column's key would know one table better than the others; its kind says what it is.
COLUMN_KEY = re.compile(r"(?:\.|->)key\b(?!\s*\()|\bdata-key\b|dataset\.key\b|\bcolumnOf\(\s*[\"']")
KEYLESS = ("ui/", "core/report/", "app/cli/")
# For users' kernels alone.
KERNEL_HEADERS = (
    "core/engine/compile/standin/",
    "core/engine/compile/nvrtc/device/",
    "core/engine/compile/torch_cuda/device/",
)
MOST_LINES = 500


def folder(path):
    """The layer a file belongs to, or None."""
    for name in sorted(ARROWS, key=len, reverse=True):
        if path.startswith(name + "/"):
            return name
    return None


def engine_room(path):
    """The room of core/engine that a file belongs to, or None."""
    if not path.startswith(ENGINE + "/"):
        return None
    here = path[len(ENGINE) + 1:].rpartition("/")[0] or "."
    while here not in ENGINE_ROOMS and "/" in here:
        here = here.rpartition("/")[0]
    return here


def wrong_arrow(name, included):
    """Why a file may not include another one, or None."""
    here, there = folder(name), folder(included)
    if there is None:
        return None
    if there != here:
        return None if there in ARROWS[here] else f"{here} may not use {there}"
    room, other = engine_room(name), engine_room(included)
    if room == other:
        return None
    if room not in ENGINE_ROOMS:
        return f"the room {room} of core/engine has no row in tests/layers/layers.py"
    return None if other in ENGINE_ROOMS[room] else f"in core/engine {room} may not use {other}"


def full_folders(root):
    """Folders with more files of their own than one can survey."""
    found = []
    for top in ("app", "core", "editor", "ui", "tests"):
        for here in sorted(p for p in [root / top, *(root / top).rglob("*")] if p.is_dir()):
            name = here.relative_to(root).as_posix()
            count = sum(1 for p in here.iterdir() if p.is_file())
            if count > MOST_FILES and name not in NOT_DIVIDED_YET and not (name + "/").startswith(DATA):
                found.append(f"{name}: {count} files, {MOST_FILES} at most; which rooms does it have?")
    return found


def problems(root):
    root = pathlib.Path(root)
    found, edges, types = [], {}, {}
    sources = [p for top in ("app", "core", "editor", "ui", "tests") for p in sorted((root / top).rglob("*"))
               if p.suffix in (".h", ".cpp", ".cu", ".py") and p.is_file()]
    for path in sources:
        name = path.relative_to(root).as_posix()
        text = path.read_text(errors="replace")
        lines = text.count("\n")
        if lines > MOST_LINES:
            found.append(f"{name}: {lines} lines, {MOST_LINES} at most; is it still one idea?")
        licence = "GPL-3.0-or-later" if name.startswith(GPL) else "Apache-2.0"
        if f"SPDX-License-Identifier: {licence}" not in "\n".join(text.splitlines()[:6]):
            found.append(f"{name}: no 'SPDX-License-Identifier: {licence}' in its first lines")
        if path.suffix not in (".h", ".cpp"):
            continue
        here = folder(name)
        if here is None:
            continue
        if path.suffix == ".h" and not name.startswith(KERNEL_HEADERS):
            for type_name in TYPE.findall(text):
                first = types.setdefault(type_name, name)
                # Two types of one name are undefined behaviour where both are linked: the linker keeps one's members.
                if first != name:
                    found.append(f"{name}: {type_name} is defined in {first} too; both are wb::{type_name}")
        for included in INCLUDE.findall(text):
            if (QT.match(included) or included.startswith("Qt")) and not name.startswith(("ui/", "editor/", "app/workbench/")):
                found.append(f"{name}: includes {included}; Qt stays in the window")
            if DEVICE.match(included) and here != "core/engine":
                found.append(f"{name}: includes {included}; torch, CUDA and Python stay in core/engine")
            if wrong := wrong_arrow(name, included):
                found.append(f"{name}: includes {included}; {wrong}")
            elif folder(included) in (here, None) and (root / included).is_file():
                edges.setdefault(name, set()).add(included)
    return found + full_folders(root) + column_keys(root) + cycles(edges) + includes.missing(root)


def column_keys(root):
    """Whoever shows a figure decides by the kind of its columns, never by their keys."""
    return [f"{path.relative_to(root).as_posix()}:{number}: reads a column's key, which only core/figures knows; use its kind"
            for top in KEYLESS for path in sorted((root / top).rglob("*"))
            if path.suffix in (".h", ".cpp", ".js", ".css") and path.is_file()
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1) if COLUMN_KEY.search(line)]


def cycles(edges):
    """Include cycles between files of one layer (between layers the arrows forbid them)."""
    found, done = [], set()

    def walk(node, trail):
        if node in trail:
            found.append("cycle: " + " -> ".join(trail[trail.index(node):] + [node]))
            return
        if node in done:
            return
        for next_node in sorted(edges.get(node, ())):
            walk(next_node, trail + [node])
        done.add(node)

    for node in sorted(edges):
        walk(node, [])
    return found


if __name__ == "__main__":
    bad = problems(sys.argv[1] if len(sys.argv) > 1 else ".")
    print("\n".join(bad) if bad else "layers hold")
    sys.exit(1 if bad else 0)
