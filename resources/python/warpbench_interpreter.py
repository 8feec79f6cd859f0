# SPDX-License-Identifier: Apache-2.0
"""Where Triton's interpreter (seen in 3.6) computes otherwise than a GPU, and an honest kernel would be called wrong:

- A number in bfloat16 is kept as an integer of 16 bits, and the interpreter computes with that integer. Here such
  numbers become float32 before an operation, and its result is rounded to bfloat16.
- What becomes bfloat16 is cut, or rounded without the carry into its exponent. Here it is rounded to the nearest.
- The bound of a loop is an array of one element, which numpy 2.4 no longer takes for an integer.

Each is mended where the interpreter still has it."""

import importlib
import os

_arithmetic = ("fadd", "fsub", "fmul", "fdiv", "frem", "precise_divf", "fma", "clampf", "dot", "minimumf", "minnumf",
               "maximumf", "maxnumf", "fcmpOLT", "fcmpOGT", "fcmpOLE", "fcmpOGE", "fcmpOEQ", "fcmpONE", "fcmpULT",
               "fcmpUGT", "fcmpULE", "fcmpUGE", "fcmpUEQ", "fcmpUNE")  # fmt: skip
_casts = ("si_to_fp", "ui_to_fp", "fp_to_si", "fp_to_ui", "fp_ext", "fp_trunc", "fp_to_fp")


def mend():
    """Mends the interpreter of this process; does nothing where Triton compiles or is not there."""
    if os.environ.get("TRITON_INTERPRET") != "1":
        return
    try:
        interpreter = importlib.import_module("triton.runtime.interpreter")
        language = importlib.import_module("triton.language")
        _mend_indices(interpreter)
        _mend_bfloat16(interpreter, language)
    except (ImportError, AttributeError):  # without Triton, or with another interpreter, there is nothing to mend
        return


def _mend_indices(interpreter):
    patch = interpreter._patch_lang_tensor

    def patched(tensor, *scope):
        patch(tensor, *scope)
        put = scope[0].set_attr if scope else setattr
        put(tensor, "__index__", lambda self: int(self.handle.data.item()))

    interpreter._patch_lang_tensor = patched


def _mend_bfloat16(interpreter, language):
    numpy = interpreter.np
    builder, Handle = interpreter.InterpreterBuilder, interpreter.TensorHandle
    bfloat16, float32 = language.bfloat16, language.float32

    def is_narrow(value):
        return isinstance(value, Handle) and value.dtype.scalar == bfloat16

    def wide(value):
        if not is_narrow(value):
            return value
        return Handle((value.data.astype(numpy.uint32) << 16).view(numpy.float32), float32)

    def narrow(value, nearest=True):
        numbers = numpy.ascontiguousarray(value.data, numpy.float32)
        bits = numbers.view(numpy.uint32)
        rounded = bits + numpy.uint32(0x7FFF) + ((bits >> 16) & 1) if nearest else bits
        # Rounding would carry a NaN into infinity or zero.
        kept = numpy.where(numpy.isnan(numbers), (bits >> 16) | 0x40, rounded >> 16)
        return Handle(kept.astype(numpy.uint16), bfloat16)

    def computing(original):
        def computed(self, *args):
            numbers = [each for each in args if isinstance(each, Handle)]
            if not any(map(is_narrow, numbers)):
                return original(self, *args)
            result = original(self, *map(wide, args))
            # A comparison gives truth values, and a product may be summed in float32.
            isNumber = result.data.dtype == numpy.float32
            return narrow(result) if isNumber and all(map(is_narrow, numbers)) else result

        return computed

    def casting(original):
        def cast(self, source, kind, *more):
            if not is_narrow(source) and kind.scalar != bfloat16:
                return original(self, source, kind, *more)
            source = wide(source)
            if kind.scalar != bfloat16:
                return source if kind.scalar == float32 else original(self, source, kind, *more)
            if source.dtype.scalar != float32:
                source = original(self, source, float32, *more)
            return narrow(source, nearest=interpreter._ir.ROUNDING_MODE.RTZ not in more)

        return cast

    def adding(original):
        def added(self, operation, pointer, value, *more):
            if is_narrow(value):
                raise NotImplementedError(
                    "Triton's interpreter has no atomic operations in bfloat16. Choose a GPU, or use float32."
                )
            return original(self, operation, pointer, value, *more)

        return added

    if hasattr(builder, "get_bf16"):  # an interpreter that knows such numbers
        return
    builder.get_bf16 = lambda self, value: narrow(Handle(numpy.array([value], numpy.float32), float32))
    builder.create_atomic_rmw = adding(builder.create_atomic_rmw)
    for name in _arithmetic:
        if original := getattr(builder, f"create_{name}", None):
            setattr(builder, f"create_{name}", computing(original))
    for name in _casts:
        if original := getattr(builder, f"create_{name}", None):
            setattr(builder, f"create_{name}", casting(original))
