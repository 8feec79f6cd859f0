// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace wb {

/// The right to measure on one GPU, which one process of this user has at a time. Ends with the process,
/// however that ends: there are no stale locks.
class MeasuringLock {
 public:
  /// Waits until nobody else measures on the GPU with this UUID. An empty UUID (a CPU) is granted at once, as
  /// is everything where the file cannot be made: a lock that cannot be had must not keep anybody from
  /// measuring. Errors: a stop; nobody let go for `patience` seconds.
  static Result<MeasuringLock> acquire(const std::string& uuid, double patience, std::stop_token stop);
  ~MeasuringLock();
  MeasuringLock(MeasuringLock&& other) noexcept;
  MeasuringLock& operator=(MeasuringLock&&) = delete;
  [[nodiscard]] double waited() const { return waited_; }  ///< seconds

 private:
  MeasuringLock(int file, double waited) : file_(file), waited_(waited) {}
  int file_;
  double waited_;
};

/// The file that is locked: $XDG_RUNTIME_DIR/warpbench, else a folder of the user's in the temporary one.
[[nodiscard]] std::filesystem::path measuringLockFile(const std::string& uuid);

}  // namespace wb
