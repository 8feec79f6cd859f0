// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/measuring_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "core/base/quantity.h"

namespace wb {
namespace {

constexpr auto retryPause = std::chrono::milliseconds{1};

std::filesystem::path folder() {
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime != 0)
    return std::filesystem::path(runtime) / "warpbench";
  std::error_code failed;
  return std::filesystem::temp_directory_path(failed) / fmt::format("warpbench-{}", getuid());
}

int openFile(const std::string& uuid) {
  if (uuid.empty()) return -1;
  std::error_code failed;
  std::filesystem::create_directories(folder(), failed);
  return open(measuringLockFile(uuid).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

}  // namespace

std::filesystem::path measuringLockFile(const std::string& uuid) {
  return folder() / (uuid + ".measuring");
}

Result<MeasuringLock> MeasuringLock::acquire(const std::string& uuid, double patience, std::stop_token stop) {
  using Clock = std::chrono::steady_clock;
  const int file = openFile(uuid);
  if (file < 0) return MeasuringLock(-1, 0);
  const auto start = Clock::now();
  while (flock(file, LOCK_EX | LOCK_NB) != 0) {
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

MeasuringLock::MeasuringLock(MeasuringLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), waited_(other.waited_) {}

MeasuringLock::~MeasuringLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace wb
