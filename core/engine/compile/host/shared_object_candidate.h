// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>

#include <filesystem>
#include <memory>
#include <string>

#include "core/engine/call.h"

namespace wb {

/// Loads a shared object that TorchCppCompiler made and finds its entry points. It stays loaded to the end of
/// the process, since tensors with deleters, and thread-local and static objects of user code, may outlive
/// the candidate. Errors: an undefined symbol (demangled), not a shared object, no entry points.
Result<std::unique_ptr<Candidate>> loadSharedObject(const std::filesystem::path& object,
                                                    const std::string& functionName,
                                                    c10::FunctionSchema schema);

}  // namespace wb
