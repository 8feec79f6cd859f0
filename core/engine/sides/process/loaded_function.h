// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

namespace wb {

/// A function of a library that somebody has loaded into this process, and to which the engine itself is not
/// linked; null where there is none.
template <class Function>
[[nodiscard]] Function* loadedFunction(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace wb
