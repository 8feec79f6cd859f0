// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// What a kernel does wrong beside a case of its job (CaseCheck::elsewhere).
struct Remark {
  /// "" where nothing was found.
  std::string words{};
  /// It is wrong with other strides, in no other way, and does not hide that when it is asked.
  bool isOnStridesAlone = false;
  /// What else there is to know, as that something could not be asked, in sentences; may be "".
  std::string note{};
};

}  // namespace wb
