# SPDX-License-Identifier: Apache-2.0
"""torch.utils.cpp_extension for kernels: load_inline and load are built by Warpbench's own compilers (seconds where
ninja and nvcc take a minute, cached, errors with their place in the Python file), and by torch itself where those
cannot. Everything else of the module is torch's, imported when it is first asked for: that takes a second."""

import importlib.machinery
import importlib.util
import inspect
import os
import sys
import types

import torch

build_module = None  # set by the bridge: core/engine/python/bridge/modules.h
shown = {}  # file that was executed -> (path that the user knows, text)

_name = "torch.utils.cpp_extension"
_real = None


class BuildError(RuntimeError):
    """The sources have errors."""


class NotRunHere(BaseException):
    """The module compiles, and there is no GPU to run it. This is not an Exception, so that a kernel does not take it
    for a failure and go on without the module."""


def torchs_own():
    """The module that this one stands in for."""
    global _real
    if _real is None:
        spec = importlib.machinery.PathFinder.find_spec(_name, torch.utils.__path__)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _real = module
    return _real


def _list(value):
    """The values of an option that may be one value or several."""
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _caller():
    """The (path, text, line) of the user's code that called."""
    frame = sys._getframe(1)
    while frame and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    if not frame:
        return "", "", 0
    file = frame.f_code.co_filename
    if file in shown:
        return *shown[file], frame.f_lineno
    try:
        with open(file, encoding="utf-8") as there:
            return file, there.read(), frame.f_lineno
    except (OSError, UnicodeDecodeError):
        return file, "", frame.f_lineno


def _bindings(functions):
    if functions is None:
        return None
    if isinstance(functions, dict):
        return [(str(name), str(doc)) for name, doc in functions.items()]
    return [(str(name), str(name)) for name in _list(functions)]


def _build(name, parts, functions, given, unfit):
    """The module; None where torch must build it."""
    if build_module is None:
        return None
    flags = [[str(each) for each in _list(given.get(option))]
             for option in ("extra_cflags", "extra_cuda_cflags", "extra_include_paths")]
    found, unfit, not_run, error = build_module(
        str(name), parts, functions, *flags, bool(given.get("with_cuda")), unfit, *_caller(), None)
    if error:
        raise BuildError(error) from None
    if unfit:
        return None
    if not_run:
        raise NotRunHere(not_run)
    module = types.ModuleType(str(name))
    module.__file__ = f"<{name}, built by Warpbench>"
    for function, called in found:
        setattr(module, function, called)
    return module


def launched_kernel(file, text, kernel, options, shape):
    """The function that launches a kernel of a CUDA source with the kernel's own parameters. `kernel` is its name, or ""
    for the first one; `shape` is [x, y and z of the grid, of the block, bytes of dynamic shared memory]."""
    launched = (text, file, kernel, options, shape)
    found, _, not_run, error = build_module(file, [], None, [], [], [], True, "", "", "", 0, launched)
    if error:
        raise BuildError(error) from None
    if not_run:
        raise NotRunHere(not_run)
    return found[0][1]


def _unfit(given):
    """Why torch must build it, as far as the options tell."""
    for option in ("extra_ldflags", "sycl_sources", "extra_sycl_cflags", "with_sycl", "is_standalone"):
        if any(_list(given.get(option))):
            return f"it is asked for {option}"
    return "" if given.get("is_python_module", True) else "it is asked for no Python module"


def _arguments(function, given, keywords):
    bound = inspect.signature(function).bind(*given, **keywords)
    bound.apply_defaults()
    return bound.arguments


def _like_load_inline(name, cpp_sources, cuda_sources=None, sycl_sources=None, functions=None, extra_cflags=None,
                      extra_cuda_cflags=None, extra_sycl_cflags=None, extra_ldflags=None, extra_include_paths=None,
                      build_directory=None, verbose=False, with_cuda=None, with_sycl=None, is_python_module=True,
                      with_pytorch_error_handling=True, keep_intermediates=True, use_pch=False,
                      no_implicit_headers=False):
    """torch 2.11's parameters."""


def _like_load(name, sources, extra_cflags=None, extra_cuda_cflags=None, extra_sycl_cflags=None, extra_ldflags=None,
               extra_include_paths=None, build_directory=None, verbose=False, with_cuda=None, with_sycl=None,
               is_python_module=True, is_standalone=False, keep_intermediates=True):
    """torch 2.11's parameters."""


def load_inline(*positional, **keywords):
    given = _arguments(_like_load_inline, positional, keywords)
    parts = [(str(text), "", False) for text in _list(given["cpp_sources"])]
    parts += [(str(text), "", True) for text in _list(given["cuda_sources"])]
    module = _build(given["name"], parts, _bindings(given["functions"]), given, _unfit(given))
    return torchs_own().load_inline(*positional, **keywords) if module is None else module


def _parts(sources):
    """The parts of the sources, and why they cannot be built."""
    parts = []
    for source in _list(sources):
        path = os.path.abspath(source)
        kind = os.path.splitext(path)[1]
        if kind not in (".cpp", ".cc", ".cxx", ".c++", ".cu"):
            return [], f"{os.path.basename(path)} is neither .cpp nor .cu"
        try:
            with open(path, encoding="utf-8") as file:
                parts.append((file.read(), path, kind == ".cu"))
        except (OSError, UnicodeDecodeError) as error:
            return [], str(error)
    return parts, ""


def load(*positional, **keywords):
    given = _arguments(_like_load, positional, keywords)
    parts, why = _parts(given["sources"])
    module = _build(given["name"], parts, None, given, _unfit(given) or why)
    return torchs_own().load(*positional, **keywords) if module is None else module


def install():
    """Puts the stand-in where `import torch.utils.cpp_extension` finds it."""
    module = types.ModuleType(_name, __doc__)
    module.load, module.load_inline = load, load_inline

    def rest(name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(torchs_own(), name)

    module.__getattr__ = rest
    sys.modules[_name] = torch.utils.cpp_extension = module
