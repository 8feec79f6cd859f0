# SPDX-License-Identifier: Apache-2.0
"""A Warpbench worker inside this Python interpreter, so that Python kernels run in the process that checks and
times them. Started by warpbench and warpbench-ui as

    python warpbench_worker.py LIBWARPBENCH_WORKER.so [the worker's options]

The library takes descriptors 0, 1 and 2 first: nothing that torch or a kernel prints can get between messages."""

import contextlib
import ctypes
import gc
import importlib.machinery
import importlib.util
import itertools
import os
import random
import sys
import tempfile


class FromSource(importlib.machinery.SourceFileLoader):
    """Takes no notice of compiled files: anybody who runs under the same user could have put one there."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class OwnModules:
    """Finds Warpbench's own modules beside this file."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        file = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
        if not name.startswith("warpbench_") or not os.path.exists(file):
            return None
        return importlib.util.spec_from_file_location(name, file, loader=FromSource(name, file))


def set_environment(arguments):
    """What torch and Triton have to know from the start."""
    if "--device=cpu" in arguments:
        # Triton decides when it is imported.
        os.environ.setdefault("TRITON_INTERPRET", "1")
    # Else torch.compile starts processes that outlive the kernel's calls, as those of a cheat would.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")


def import_torch(arguments):
    """Gives (torch's folder, what was wrong)."""
    set_environment(arguments)
    # What torch imports stays: to look through it for what is gone, again and again, takes a tenth of the time.
    gc.disable()
    try:
        import torch
        with contextlib.suppress(Exception):  # not every environment has it; a kernel that needs it will say so
            import triton.language  # noqa: F401
        with contextlib.suppress(Exception):
            # torch.compile imports it. On Python 3.12 it adds to the audit hooks, which no kernel may.
            import filelock  # noqa: F401
    except BaseException as error:  # torch's own start-up can fail in many ways; the answer is always the same
        return "", f"{sys.executable} cannot import torch: {type(error).__name__}: {error}"
    finally:
        gc.freeze()  # nor does it have to look through it later
        gc.enable()
    return os.path.dirname(torch.__file__), ""


def variables():
    """The environment of the process as it is, which Python has read long before: pairs of names and values."""
    there = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    entries = itertools.takewhile(lambda each: each is not None, map(there.__getitem__, itertools.count()))
    return [(name, value) for name, _, value in (each.partition(b"=") for each in entries)]


def become_parent(library, arguments):
    """Divides this process into the worker and a copy of it, in which no kernel's code will ever run: there problems'
    references are timed. Importing torch again would take that process seconds. True in the copy, once it is needed."""
    if library.warpbench_worker_divide() == 0:
        return False
    if library.warpbench_worker_awaited() == 0:
        os._exit(0)
    for name in set(os.environb) - {name for name, _ in variables()}:
        del os.environb[name]
    set_environment(arguments)
    sys.modules["warpbench_traces"].environment_is_now()
    sys.modules["warpbench_left"].environment_is_now()
    return True


def take_environment():
    """Takes what the process sets around a guest, which is a copy of this one."""
    for name, value in variables():
        if os.environb.get(name) != value:
            os.environb[name] = value
    tempfile.tempdir = None
    # Copies draw other numbers than each other.
    random.seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()


def warm_triton():
    """Does for the first time what guests of Triton kernels begin with, which takes each of them a second."""
    problems = sys.modules.get("warpbench_problems")
    if problems is None or os.environ.get("TRITON_INTERPRET") == "1":
        return
    sys.path.insert(0, os.path.dirname(problems.__file__))
    try:
        with contextlib.suppress(Exception):  # not every environment has Triton, nor every machine a compiler
            import warpbench_warm

            warpbench_warm.warm()
    finally:
        sys.path.pop(0)
    problems.settle()


def close_to_others():
    """Nobody without the right to trace any process can write to this one's memory, nor to that of its copies."""
    set_dumpable = 4
    ctypes.CDLL(None).prctl(set_dumpable, 0, 0, 0, 0)


def main():
    arguments = sys.argv[2:]
    if "--closed" in arguments:
        close_to_others()
    library = ctypes.CDLL(sys.argv[1])
    # A guest speaks to its judge on another descriptor, and prints where the judge does.
    if "--guest" not in arguments and library.warpbench_worker_begin("--judges" in arguments) != 0:
        return 3
    sys.stdout.reconfigure(line_buffering=True)
    folder, failure = import_torch(arguments)
    sys.meta_path.insert(0, OwnModules)
    if not failure:
        import warpbench_kernels  # noqa: F401  the bridge looks for it among the loaded modules
        import warpbench_problems  # and for this one
        import warpbench_requests  # noqa: F401  as do the modules that are made of requests

        sys.path.pop(0)  # this folder is no business of kernels
        if "--guest" not in arguments and "--judges" not in arguments and "--device=cpu" in arguments:
            arguments += ["--guest", "--closed"] if become_parent(library, arguments) else []
        if "--guest" in arguments:
            warpbench_problems.warm()
    words = [b"warpbench-worker"] + [os.fsencode(each) for each in arguments]
    if folder:
        words.append(b"--torch=" + os.fsencode(folder))
    line = (ctypes.c_char_p * (len(words) + 1))(*words, None)
    begins, warms = ctypes.CFUNCTYPE(None)(take_environment), ctypes.CFUNCTYPE(None)(warm_triton)
    return library.warpbench_worker_serve(len(words), line, os.fsencode(failure), begins, warms)


if __name__ == "__main__":
    status = main()
    # Without finalisation: a kernel's threads and atexit functions have no say in when a worker ends.
    os._exit(status)
