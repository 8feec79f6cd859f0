// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/files/hash.h"
#include "core/model/builds/builds.h"

namespace wb {

/// How what is built passes between machines, as a compiler sees it. Its functions are called from any
/// thread.
struct BuildExchange {
  /// What another machine has built under this key; nothing where none has. Its hash is right.
  std::function<std::optional<BuiltFile>(const std::string& key)> given;
  /// Is told the key of what was given and is used.
  std::function<void(const std::string& key)> used;
  /// Is told of what was built here, or was found built; absent where nobody wants it.
  std::function<void(BuiltFile)> built;
};

[[nodiscard]] inline std::string hashOf(const BuiltFile& file) {
  return contentHash({file.content});
}

}  // namespace wb
