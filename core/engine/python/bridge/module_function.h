// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/compile/module_builder.h"
#include "core/engine/python/bridge/object.h"

namespace wb::python {

/// A callable for functions of one name: the first whose parameters the arguments fit is called, as pybind11
/// does. Tensors are shared. C++ exceptions become Python's as torch translates them.
[[nodiscard]] Object moduleFunction(std::vector<ModuleFunction> overloads);

}  // namespace wb::python
