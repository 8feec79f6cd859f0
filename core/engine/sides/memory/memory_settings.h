// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/process/process_start.h"

namespace wb {

/// Makes the C library keep the memory that it has got from the system, as it would by itself after some
/// time. Without this a call pays for fresh pages or not by chance, and two processes that do the same take
/// different times.
void steadyHeap();
/// Has the system give the pages that the next tensors of so many bytes will likely get from the heap, all of
/// them at the same time.
void makeHeapPresent(std::span<const std::size_t> sizes);

/// How the C library and the system give this process memory, which both sides pay for: when the library
/// returns blocks to the system, large pages, locked pages, and filters through which system calls go.
class MemorySettings {
 public:
  /// Steadies the heap, and takes the rest as it is.
  MemorySettings();

  /// Puts back what user code has changed. A filter of system calls stays for as long as the process lives.
  [[nodiscard]] PutBack putBack() const;

 private:
  bool areHugePagesOff_ = false;
  long lockedKilobytes_ = 0, filters_ = 0;
};

}  // namespace wb
