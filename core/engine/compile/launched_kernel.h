// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/compile/module_builder.h"

namespace wb {

/// Compiles a kernel that Python launches itself, and gives one function for it, `launch`, whose parameters
/// are those of the kernel: tensors for pointers, and numbers, which reach the kernel in the types that its
/// own text declares. It launches on torch's current stream. Uses these members of the request: device,
/// architecture, canRun, deadline, stop, onDiagnostic.
///
/// Errors: there is no such kernel; a parameter's type cannot be passed; the text has errors; what the driver
/// says of loading it, or of the shape of the launch.
Result<ModuleOutcome> buildLaunchedKernel(const LaunchedKernel& kernel, const CompileRequest& request);

}  // namespace wb
