// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wb {

/// Remembers what this process is given now: environment, working folder, limits of resources, file mode
/// mask, processors and priority. From then on every child starts with that, whatever user code has changed
/// in this process since. A process that loads user code calls this once, before any of it runs; the children
/// of a process that does not call it get what the process itself has.
void rememberStart();

/// The value of an environment variable when rememberStart() was called, else its present value. "" when it
/// is not set.
[[nodiscard]] std::string startVariable(const std::string& name);

/// The working folder when rememberStart() was called, else the present one.
[[nodiscard]] std::filesystem::path startFolder();

/// What putStartBack() has found changed ("the environment"), and apart from it what it could not put back.
/// It puts back in this process the state that rememberStart() remembered, as far as the system allows it;
/// variables that are new stay.
struct PutBack {
  std::vector<std::string> changed, stuck;
};
PutBack putStartBack();

}  // namespace wb
