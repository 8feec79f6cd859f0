// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace wb {

/// The libraries of this process whose functions are used by all that are loaded later, in the place of
/// others of the same name. A kernel may make one of its own library, and the next kernel's calls would be
/// its own.
class GlobalLibraries {
 public:
  /// Takes those that are loaded now as nobody's doing.
  GlobalLibraries();
  /// The name of one that has come since from elsewhere than the system or torch, and is for all to use; ""
  /// for none.
  [[nodiscard]] std::string found() const;

 private:
  std::set<std::string> before_;
};

}  // namespace wb
