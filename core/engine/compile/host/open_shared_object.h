// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace wb {

/// Opens a built shared object with all that it refers to; others do not see its symbols. Errors: an
/// undefined symbol (demangled), not a shared object. Throws what its static objects throw.
Result<void*> openSharedObject(const std::filesystem::path& object);

}  // namespace wb
