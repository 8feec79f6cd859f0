# SPDX-License-Identifier: Apache-2.0
"""Functions that say that somebody calls them, such as a problem's reference does."""
import builtins
import types

import torch

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_record_function = torch.autograd.profiler.record_function
_Function = types.FunctionType
holds = []  # of what the reference does: where, that, and the same that says that it is called


def _told(*given, **keywords):
    call = "what is called"
    return call(*given, **keywords)


def telling(function, name):
    """The code of a function that does the same and says that somebody calls it."""
    own = _Function(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                             function.__closure__)  # fmt: skip
    own.__kwdefaults__ = function.__kwdefaults__

    def call(*given, **keywords):
        with _record_function(name):
            return own(*given, **keywords)

    constants = tuple(call if each == "what is called" else each for each in _told.__code__.co_consts)
    return own, _told.__code__.replace(co_consts=constants, co_freevars=function.__code__.co_freevars,
                                       co_name=function.__code__.co_name, co_filename=__file__)  # fmt: skip


def reference_tells(when_called):
    """Whether the reference itself says that it is called, which its class does anyway: a kernel may have found it among
    all objects. Where somebody has put something else there, that stays, to be found."""
    for there, own, told in holds:
        if when_called and there.get("forward") is own:
            there["forward"] = told
        elif not when_called and there.get("forward") is told:
            there["forward"] = own
