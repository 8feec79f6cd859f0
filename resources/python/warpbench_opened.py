# SPDX-License-Identifier: Apache-2.0
"""Which files a problem's own code reads beside its source: modules that it imports, data. A kernel of the same run may
have written to one, so that the reference would be what it likes. What it needs is bound here at start, so that a kernel
that patches modules changes nothing."""

import builtins
import contextlib
import importlib.util
import marshal
import os
import sys

from warpbench_error import KernelError

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_stat, _lstat, _absolute, _decode = os.stat, os.lstat, os.path.abspath, os.fsdecode
_source_of, _loads = importlib.util.source_from_cache, marshal.loads
_for_writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_events = {"open": 0, "import": 1, "ctypes.dlopen": 0}  # what Python says -> which of its words is the file
_read, _written = {}, {}  # paths, in the order of their first use
_notes = []  # is not empty while they are taken
_add_hook, _hooked = sys.addaudithook, []


def _hook(event, given):
    if not _notes or event not in _events:
        return
    path = given[_events[event]]
    if isinstance(path, (str, bytes)):
        writes = event == "open" and isinstance(given[2], int) and given[2] & _for_writing
        (_written if writes else _read)[_decode(path)] = None


@contextlib.contextmanager
def noted(since, folder, known):
    """Raises an error where what is done within reads a file in `folder` that was changed, or has come there, after
    `since`, in nanoseconds since 1970. `known`: those of which Warpbench knows what they say. No look where `since` is
    0."""
    if not since or _notes:
        yield
        return
    if not _hooked:  # Python asks it at much of what it does, and nobody can take it away again
        _hooked.append(True)
        _add_hook(_hook)
    _read.clear()
    _written.clear()
    _notes.append(True)
    try:
        yield
    finally:
        _notes.clear()
    ours = {_absolute(each) for each in (*_written, *known)}
    within = _absolute(folder) + os.sep
    for path in {_absolute(each): None for each in _read}:
        if path.startswith(within) and path not in ours and _is_changed(path, since):
            raise KernelError(f"the problem reads {path}, which was changed since this run began: the kernel, or one of "
                              "the same run, may have done that", "run it again if somebody else has saved that file")


def _is_changed(path, since):
    try:
        changed = max(_stat(path).st_ctime_ns, _lstat(path).st_ctime_ns)
    except OSError:  # it is not there, or is gone again
        return False
    return changed > since and not _is_compiled_by_python(path)


def _is_compiled_by_python(path):
    """Whether it is what Python itself keeps of a source, which it writes when that is imported first."""
    if not path.endswith(".pyc"):
        return False
    try:
        source = _source_of(path)
        with open(path, "rb") as kept, open(source, encoding="utf-8") as text:
            return _loads(kept.read()[16:]) == compile(text.read(), source, "exec", dont_inherit=True)
    except (OSError, ValueError, EOFError, TypeError, SyntaxError):
        return False
