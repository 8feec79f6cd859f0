# SPDX-License-Identifier: Apache-2.0
"""Functions that say that somebody calls them, such as a problem's reference does."""
import builtins
import inspect
import types

import torch

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_record_function = torch.autograd.profiler.record_function
_Function = types.FunctionType
_dynamo = torch._C._dynamo.eval_frame
codes = []  # of functions that say so
holds = []  # of what the reference does: where, that, and the same that says that it is called


def _told(*given, **keywords):
    call = "what is called"
    return call(*given, **keywords)


def _with_parameters_of(code):
    """The code of _told with the parameters of another function, since torch.fx and torch.jit look at them."""
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    listed, handed = list(names[:count]), list(names[:count])
    if code.co_posonlyargcount:
        listed.insert(code.co_posonlyargcount, "/")
    left = list(names[count + only :])
    if code.co_flags & inspect.CO_VARARGS:
        listed.append("*" + left[0])
        handed.append("*" + left.pop(0))
    elif only:
        listed.append("*")
    listed += names[count : count + only]
    handed += [f"{name}={name}" for name in names[count : count + only]]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        listed.append("**" + left[0])
        handed.append("**" + left[0])
    call = "call"
    while call in names:
        call += "_"
    text = f"def told({', '.join(listed)}): {call} = 'what is called'; return {call}({', '.join(handed)})"
    made = {}
    exec(text, {"__builtins__": {}}, made)
    return made["told"].__code__


def telling(function, name):
    """The code of a function that does the same and says that somebody calls it. Who looks at the function finds its own
    parameters and text."""
    own = _Function(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                             function.__closure__)  # fmt: skip
    own.__kwdefaults__ = function.__kwdefaults__

    def call(*given, **keywords):
        with _record_function(name):
            return own(*given, **keywords)

    code = function.__code__
    try:
        made = _with_parameters_of(code)
    except (SyntaxError, ValueError):  # of code that somebody has made, names may be none
        made = _told.__code__
    constants = tuple(call if each == "what is called" else each for each in made.co_consts)
    told = made.replace(co_consts=constants, co_freevars=code.co_freevars, co_name=code.co_name,
                        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno)  # fmt: skip
    # torch.compile cannot read it, and begins with what it calls.
    if hasattr(_dynamo, "set_code_exec_strategy"):
        action = _dynamo._FrameAction
        _dynamo.set_code_exec_strategy(told, _dynamo._FrameExecStrategy(action.SKIP, action.DEFAULT))
    codes.append(told)
    return own, told


def is_told(code):
    return any(each is code for each in codes)


def reference_tells(when_called):
    """Whether the reference itself says that it is called, which its class does anyway: a kernel may have found it among
    all objects. Where somebody has put something else there, that stays, to be found."""
    for there, own, told in holds:
        if when_called and there.get("forward") is own:
            there["forward"] = told
        elif not when_called and there.get("forward") is told:
            there["forward"] = own
