# SPDX-License-Identifier: Apache-2.0
"""What the worker's bridge (core/engine/python/bridge) asks of Python beside problems (warpbench_problems.py): loading
kernels, words for exceptions. Everything it needs is bound here at start, so that a kernel that patches modules changes
nothing."""

import builtins
import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import sys
import traceback

import torch
import warpbench_code
import warpbench_extensions
import warpbench_inputs
import warpbench_interpreter
import warpbench_made
import warpbench_traces
from warpbench_code import listed, versions  # noqa: F401, which the bridge asks
from warpbench_error import KernelError
from warpbench_streams import mentions_stream  # noqa: F401, the same

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_TracebackException = traceback.TracebackException
_extract_tb = traceback.extract_tb
_own_files = [os.path.join(os.path.dirname(os.path.abspath(__file__)), f"warpbench_{name}.py")
              for name in ("kernels", "extensions", "code", "inputs", "interpreter", "io", "left", "models", "opened",
                           "problems", "requests", "streams", "told", "traces", "worker")]  # fmt: skip
_loaded = 0
_modules = []  # of the sources that were executed since a kernel or problem began to be loaded
_besides = set()  # the folders of those
_none = {}
_spec_of, _module_of = importlib.util.spec_from_file_location, importlib.util.module_from_spec
shown_as = {}  # file that was executed -> path that the user knows
warpbench_extensions.install()
warpbench_interpreter.mend()
warpbench_code.watch()


def _trace(error):
    """The traceback of an exception and of what led to it, without Warpbench's own frames."""
    whole = _TracebackException.from_exception(error)
    rest = [whole]
    while rest:
        trace = rest.pop()
        trace.stack[:] = [f for f in trace.stack if os.path.abspath(f.filename) not in _own_files]
        rest += [each for each in (trace.__cause__, trace.__context__) if each is not None]
    return "".join(whole.format())


def describe(error):
    """The (type, message, traceback, file, line, hint) of an exception, without Warpbench's own frames."""
    kind = type(error)
    frames = [f for f in _extract_tb(error.__traceback__) if os.path.abspath(f.filename) not in _own_files]
    text = _trace(error)
    for executed, shown in shown_as.items():
        text = text.replace(executed, shown)
    file, line = "", 0
    for frame in frames:  # the innermost line of the user's own
        if frame.filename in shown_as:
            file, line = shown_as[frame.filename], frame.lineno or 0
    if isinstance(error, SyntaxError) and error.filename in shown_as:
        file, line = shown_as[error.filename], error.lineno or 0
        message = f"{kind.__name__}: {error.msg}"
    elif isinstance(error, KernelError):
        return "", str(error), "", file, error.line, error.hint
    elif isinstance(error, warpbench_extensions.NotRunHere):
        message = str(error)
    elif isinstance(error, SystemExit):
        message = f"the kernel called sys.exit({error.code!r})"
    else:
        said = str(error)
        message = f"{kind.__name__}: {said}" if said else kind.__name__
    return str(kind), message, text, file, line, ""


def symbol(name):
    """A dtype, layout, memory format or number by the name that the trace grammar has for it."""
    known = {"inf": float("inf"), "nan": float("nan"), **warpbench_inputs.dtypes}
    if name in known:
        return known[name]
    for prefix in ("torch.", "th."):
        name = name.removeprefix(prefix)
    return getattr(torch, name)


def device(name, wanted):
    """The device that a case names; one recorded on a GPU means the job's."""
    return torch.device(wanted if str(name).startswith("cuda") else name)


def _file_for(path, text, folder):
    """A file with exactly this text, since Triton and tracebacks read the source from disk."""
    try:
        with open(path, encoding="utf-8", newline="") as there:
            if there.read() == text:
                return os.path.abspath(path)
    except (OSError, UnicodeDecodeError):
        pass
    place = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:20])
    os.makedirs(place, exist_ok=True)
    name = os.path.basename(path) or "kernel.py"
    file = os.path.join(place, name if name.endswith(".py") else name + ".py")
    if not os.path.exists(file):
        unfinished = f"{file}.{os.getpid()}"
        with open(unfinished, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        os.replace(unfinished, file)
    return file


def _missing_imports(text):
    """Names that BackendBench puts before a kernel's text when it does not import torch itself."""
    if "import torch" in text:
        return {}
    names = {"torch": torch}
    if "triton" in text:
        import triton
        import triton.language as tl

        names.update(triton=triton, tl=tl)
    if "F." in text:
        import torch.nn.functional as F

        names["F"] = F
    if "nn." in text:
        names["nn"] = torch.nn
    return names


def _is_in(module, folders):
    """Whether one of these folders is where a module was found, which may be a package."""
    # There are thousands. Their own attributes are asked alone, since those of torch that make theirs on demand take
    # long.
    file = getattr(module, "__dict__", _none).get("__file__")
    if not isinstance(file, str):
        return False
    folder, name = os.path.split(file)
    return folder in folders or (name == "__init__.py" and os.path.dirname(folder) in folders)


def _forget_modules_of(folders, names=None):
    """Forgets the modules that were imported from these folders, all of them or those with these names."""
    wanted = {name for name, module in list(sys.modules.items()) if "." not in name
              and (names is None or name in names) and name not in _modules and _is_in(module, folders)}  # fmt: skip
    if wanted:
        for name in [each for each in sys.modules if each.partition(".")[0] in wanted]:
            del sys.modules[name]


def _begin_beside(path):
    """The folder of a source, from which it may import: "" where there is none. Its modules may have changed since they
    were imported, and others may have the same names."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        return ""
    # A service's worker stands in the root folder, where nobody has kernels.
    if "site-packages" in folder or folder == os.sep:
        return folder
    _forget_modules_of({folder})
    with contextlib.suppress(OSError):  # a kernel's process may not look into it with --strict
        _forget_modules_of(_besides - {folder}, {name.partition(".")[0] for name in os.listdir(folder)})
    _besides.add(folder)
    return folder


def forget_earlier():
    """Forgets the modules of earlier kernels and problems: a worker that serves others loads thousands."""
    while _modules:
        sys.modules.pop(_modules.pop(), None)
    if _besides:
        _forget_modules_of(_besides)
        _besides.clear()


def execute(path, text, folder):
    """Runs a source as a module of its own, its folder first among the places to import from."""
    global _loaded
    _loaded += 1
    file = _file_for(path, text, folder)
    shown_as[file] = path
    if text.startswith(warpbench_made.first_line) and file not in _own_files:
        _own_files.append(file)
    warpbench_extensions.shown[file] = path, text
    linecache.checkcache(file)
    name = f"warpbench_kernel_{_loaded}"
    module = _module_of(_spec_of(name, file))
    vars(module).update(_missing_imports(text))
    sys.modules[name] = module
    _modules.append(name)
    beside = _begin_beside(path)
    if beside:
        sys.path.insert(0, beside)
    try:
        exec(compile(text, file, "exec"), vars(module))
    finally:
        if beside in sys.path:
            sys.path.remove(beside)
    return module


def _function(module, names, path):
    for name in names:
        found = getattr(module, name, None)
        if found is None:
            continue
        if not callable(found):
            raise KernelError(f"{name} is not a function", f"define `def {name}(…)`")
        return found, name
    there = [n for n, v in vars(module).items() if inspect.isfunction(v) and not n.startswith("_")]
    hint = f"it defines {', '.join(sorted(there))}" if there else "it defines no function"
    raise KernelError(f"{os.path.basename(path)} has no function {names[0]}", hint)


def load(path, text, names, folder):
    """(function, its name) of a kernel file."""
    warpbench_traces.begin()
    forget_earlier()
    warpbench_code.forget()
    return _function(execute(path, text, folder), names, path)


def traces():
    """([what was changed and is put back now], [what is patched and stays so])"""
    return warpbench_traces.traces()
