// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process/process_start.h"

namespace wb {

/// How the C library and the system give this process memory, which both sides pay for: when the library
/// returns blocks to the system, large pages, locked pages, and filters through which system calls go.
class MemorySettings {
 public:
  /// Makes the library keep what it has got, as it would by itself after some time, and takes the rest as it
  /// is.
  MemorySettings();

  /// Puts back what user code has changed. A filter of system calls stays for as long as the process lives.
  [[nodiscard]] PutBack putBack() const;

 private:
  bool areHugePagesOff_ = false;
  long lockedKilobytes_ = 0, filters_ = 0;
};

}  // namespace wb
