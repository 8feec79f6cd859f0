// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/module_builder.h"

namespace wb {

/// Loads a shared object and lists what PYBIND11_MODULE bound in it (standin/warpbench_bindings.h). The
/// object stays loaded to the end of the process. Errors: an undefined symbol (demangled), no such table, a
/// static object that threw.
Result<std::vector<ModuleFunction>> loadBoundModule(const std::filesystem::path& object);

}  // namespace wb
