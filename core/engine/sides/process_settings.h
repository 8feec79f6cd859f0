// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace wb {

/// One thing that user code can set for the whole process or thread.
struct ProcessSetting {
  /// What it is called, "the number of threads".
  const char* words;
  std::int64_t (*get)();
  void (*set)(std::int64_t value);
  /// The value in words; null where it is enough to say that it changed.
  std::string (*text)(std::int64_t value) = nullptr;
  /// Each thread of torch's pool has this setting too.
  bool ofPool = false;
  /// Whether two values come to the same; null where only equal ones do.
  bool (*isSame)(std::int64_t one, std::int64_t other) = nullptr;
};

/// All settings, in the order in which they are put back.
[[nodiscard]] std::span<const ProcessSetting> processSettings();

/// Runs `work` once in each thread of torch's pool, to which this thread belongs.
void inEveryThread(void (*work)(void*), void* data);

}  // namespace wb
