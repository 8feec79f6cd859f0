// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/measuring_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/quantity.h"

namespace wb {
namespace {

/// A measurement of a request takes some milliseconds.
constexpr auto retryPause = std::chrono::microseconds{300};

/// Inside walls the file can only be read, which is enough to lock it.
int openFile(const std::string& uuid) {
  if (uuid.empty()) return -1;
  std::error_code failed;
  // The folder around it has the user's sockets, too, which nobody else may reach.
  if (std::filesystem::create_directories(lockFolder(), failed))
    std::filesystem::permissions(lockFolder().parent_path(), std::filesystem::perms::owner_all, failed);
  const std::filesystem::path file = measuringLockFile(uuid);
  const int made = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  return made >= 0 ? made : open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

}  // namespace

std::filesystem::path measuringLockFile(const std::string& uuid) {
  return lockFolder() / (uuid + ".measuring");
}

Result<MeasuringLock> MeasuringLock::take(const std::string& uuid, int kind, double patience,
                                          const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const int file = openFile(uuid);
  if (file < 0) return MeasuringLock(-1, 0);
  const auto start = Clock::now();
  while (flock(file, kind | LOCK_NB) != 0) {
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    const bool held = errno == EWOULDBLOCK || errno == EINTR;
    if (held && !stop.stop_requested() && waited < patience) {
      std::this_thread::sleep_for(retryPause);
      continue;
    }
    close(file);
    if (!held) return MeasuringLock(-1, 0);
    if (stop.stop_requested()) return Error{Stage::time, "Stopped before a block was timed."};
    return Error{
        Stage::time,
        fmt::format("another Warpbench has been measuring on this GPU for {}", formatSeconds(waited)),
        "times of kernels that share a GPU mean nothing: run again when it is done"};
  }
  return MeasuringLock(file, std::chrono::duration<double>(Clock::now() - start).count());
}

Result<MeasuringLock> MeasuringLock::acquire(const std::string& uuid, double patience, std::stop_token stop) {
  return take(uuid, LOCK_EX, patience, stop);
}

MeasuringLock MeasuringLock::share(const std::string& uuid, double patience, const std::stop_token& stop) {
  Result<MeasuringLock> taken = take(uuid, LOCK_SH, patience, stop);
  return taken ? *std::move(taken) : MeasuringLock(-1, patience);
}

MeasuringLock::MeasuringLock(MeasuringLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), waited_(other.waited_) {}

MeasuringLock::~MeasuringLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace wb
