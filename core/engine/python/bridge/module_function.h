// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/engine/compile/module_builder.h"
#include "core/engine/python/bridge/object.h"

namespace wb::python {

/// A callable for functions of one name: it calls the first one whose parameters the arguments fit, as
/// pybind11 does. Tensors are shared. C++ exceptions become Python's as torch translates them.
[[nodiscard]] Object moduleFunction(std::vector<ModuleFunction> overloads);

}  // namespace wb::python
