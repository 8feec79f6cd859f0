// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace wb {

/// The right to measure on one GPU, which one process of this user has at a time, or the right to use it
/// while nobody measures. It ends with the process, however that ends, so there are no stale locks.
class MeasuringLock {
 public:
  /// Waits until no other process uses or measures on the GPU with this UUID. An empty UUID (a CPU) is
  /// granted at once, and so is everything where the file cannot be made: a lock that cannot be had must not
  /// keep anybody from measuring. Errors: a stop; nobody released it for `patience` seconds.
  static Result<MeasuringLock> acquire(const std::string& uuid, double patience, const std::stop_token& stop);
  /// Waits until no other process measures there, and for a moment until none waits to, and keeps others from
  /// it. After `patience` seconds, or a stop, it is granted all the same: what is not measured may share a
  /// GPU.
  static MeasuringLock share(const std::string& uuid, double patience, const std::stop_token& stop);
  /// The file by which a process inside walls shares the GPU, opened for it; -1 where there is none to lock.
  [[nodiscard]] static int openFor(const std::string& uuid);
  /// As share(), by such a file, which is closed in the end. It may come before who waits to measure: whoever
  /// shares the GPU may be waiting for it.
  static MeasuringLock shareBy(int file, double patience);
  ~MeasuringLock();
  MeasuringLock(MeasuringLock&& other) noexcept;
  MeasuringLock& operator=(MeasuringLock&&) = delete;
  /// How many seconds it waited.
  [[nodiscard]] double waited() const { return waited_; }

 private:
  MeasuringLock(int file, double waited) : file_(file), waited_(waited) {}
  /// Takes a lock of flock's kind; an error where it was not to be had in time.
  static Result<MeasuringLock> take(const std::string& uuid, int kind, double patience,
                                    const std::stop_token& stop);
  int file_;
  double waited_;
};

/// The file that is locked, in lockFolder().
[[nodiscard]] std::filesystem::path measuringLockFile(const std::string& uuid);

}  // namespace wb
