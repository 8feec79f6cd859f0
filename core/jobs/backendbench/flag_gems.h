// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

/// The operators that the flag_gems package of a Python replaces, each as a kernel that calls the package's
/// function. The package itself is asked, so any version will do. With `like` BackendBench's adapters are
/// used, which drop native_layer_norm's eps. `python` is the interpreter; "" means the one that is found.
/// Errors: no Python, or no flag_gems in it (with what to install where).
Result<std::vector<KernelSource>> flagGemsKernels(bool like, const std::string& python);

/// The source of one such kernel.
[[nodiscard]] std::string flagGemsSource(const std::string& op, const std::string& module,
                                         const std::string& function, bool like);

}  // namespace wb
