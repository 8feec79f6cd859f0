// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wb {

/// Remembers how this process is now: environment, working folder, limits of resources, file mode mask,
/// processors and priority. From then on every child starts with that, whatever user code has changed in this
/// process since. To be called once, before any user code, by a process that loads some; one that does not
/// call it gives its children what it has itself.
void rememberStart();

/// The value of an environment variable as it was then; else as it is now. "" when it is not set.
[[nodiscard]] std::string startVariable(const std::string& name);

/// The working folder as it was then; else as it is now.
[[nodiscard]] std::filesystem::path startFolder();

/// Puts back in this process what rememberStart() remembered, as far as the system lets it; variables that
/// are new stay. Names what had been changed ("the environment"), and apart what could not be put back.
struct PutBack {
  std::vector<std::string> changed, stuck;
};
PutBack putStartBack();

}  // namespace wb
