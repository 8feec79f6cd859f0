// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/python/bridge/object.h"
#include "core/engine/python/interpreter.h"

namespace wb::python {

/// The callable that resources/python/warpbench_extensions.py builds modules with:
///
///     build(name, parts, functions, host_flags, cuda_flags, include_paths, with_cuda, unfit, path, text,
///           line, launched)
///
/// parts is a list of (text, path, is CUDA), functions a list of (name, doc) or None; path, text and line say
/// where it was called. launched is None, or a kernel that is launched in place of a module: (text, file,
/// kernel, options, shape). Gives (list of (name, callable), unfit, not_run, error), where at most one of the
/// last three is not "".
[[nodiscard]] Object moduleBuilding(Interpreter::BuildModule build);

}  // namespace wb::python
