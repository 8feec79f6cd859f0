// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace wb {

/// One thing that user code can set for the whole process or thread.
struct ProcessSetting {
  const char* words;  ///< "the number of threads"
  std::int64_t (*get)();
  void (*set)(std::int64_t value);
  /// The value in words; null where telling that it changed says all.
  std::string (*text)(std::int64_t value) = nullptr;
  bool ofPool = false;  ///< torch's pool of threads has it too
};

/// In the order in which they are put back.
[[nodiscard]] std::span<const ProcessSetting> processSettings();

/// Runs `work` once in each thread of torch's pool, this one among them.
void inEveryThread(void (*work)(void*), void* data);

}  // namespace wb
