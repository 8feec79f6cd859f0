// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/measuring_lock.h"

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

using Clock = std::chrono::steady_clock;

/// A measurement of a request takes some milliseconds.
constexpr auto retryPause = std::chrono::microseconds{300};
/// So long those who only use a GPU let all go first who wait to measure there. One after the other, none of
/// them waits until others are done with what they use it for in between.
constexpr std::chrono::milliseconds longestPrecedence{200};

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  /// Inside walls the file can only be read, which is enough to lock it.
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (descriptor_ < 0) descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

void makeFolder() {
  std::error_code failed;
  // The folder around it has the user's sockets, too, which nobody else may reach.
  if (std::filesystem::create_directories(lockFolder(), failed))
    std::filesystem::permissions(lockFolder().parent_path(), std::filesystem::perms::owner_all, failed);
}

enum class Wait { granted, tookTooLong, stopped, cannotBeLocked };

Wait waitFor(const OpenFile& file, int kind, Clock::time_point until, const std::stop_token& stop) {
  while (flock(file.get(), kind | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return Wait::cannotBeLocked;
    if (stop.stop_requested()) return Wait::stopped;
    if (Clock::now() >= until) return Wait::tookTooLong;
    std::this_thread::sleep_for(retryPause);
  }
  return Wait::granted;
}

/// Somebody waits to measure as long as this lives. A lock of that kind can be asked for without taking it;
/// where the system knows none, nobody goes first.
class Wanted {
 public:
  explicit Wanted(const std::filesystem::path& path) : file_(path) {}
  void say() { (void)::fcntl(file_.get(), F_OFD_SETLK, &(lock_ = whole(F_RDLCK))); }
  [[nodiscard]] bool isSaid() {
    lock_ = whole(F_WRLCK);
    return ::fcntl(file_.get(), F_OFD_GETLK, &lock_) == 0 && lock_.l_type != F_UNLCK;
  }

 private:
  static struct flock whole(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
  }
  OpenFile file_;
  struct flock lock_ {};
};

}  // namespace

std::filesystem::path measuringLockFile(const std::string& uuid) {
  return lockFolder() / (uuid + ".measuring");
}

int MeasuringLock::openFor(const std::string& uuid) {
  if (uuid.empty()) return -1;
  makeFolder();
  return OpenFile(measuringLockFile(uuid)).release();
}

MeasuringLock MeasuringLock::shareBy(int descriptor, double patience) {
  OpenFile file(descriptor);
  const auto start = Clock::now();
  const auto until = start + std::chrono::ceil<Clock::duration>(std::chrono::duration<double>(patience));
  const Wait wait = waitFor(file, LOCK_SH, until, {});
  const double waited = std::chrono::duration<double>(Clock::now() - start).count();
  return MeasuringLock(wait == Wait::granted ? file.release() : -1, waited);
}

Result<MeasuringLock> MeasuringLock::take(const std::string& uuid, int kind, double patience,
                                          const std::stop_token& stop) {
  if (uuid.empty()) return MeasuringLock(-1, 0);
  makeFolder();
  // Who waits to measure keeps the turn meanwhile, so that nobody else begins to use the GPU before. Else
  // several who use it by turns would never leave it to whoever needs it alone.
  const OpenFile turn(lockFolder() / (uuid + ".turn"));
  Wanted wanted(lockFolder() / (uuid + ".wanted"));
  OpenFile file(measuringLockFile(uuid));
  const auto start = Clock::now();
  const auto until = start + std::chrono::ceil<Clock::duration>(std::chrono::duration<double>(patience));
  if (kind == LOCK_EX) wanted.say();
  const auto goFirst = std::min(until, start + longestPrecedence);
  while (kind == LOCK_SH && wanted.isSaid() && Clock::now() < goFirst && !stop.stop_requested())
    std::this_thread::sleep_for(retryPause);
  Wait wait = waitFor(turn, LOCK_EX, until, stop);
  if (wait == Wait::granted || wait == Wait::cannotBeLocked) wait = waitFor(file, kind, until, stop);
  const double waited = std::chrono::duration<double>(Clock::now() - start).count();
  if (wait == Wait::cannotBeLocked) return MeasuringLock(-1, 0);
  if (wait == Wait::stopped) return Error{Stage::time, "Stopped before a block was timed."};
  if (wait == Wait::tookTooLong)
    return Error{
        Stage::time,
        fmt::format("another Warpbench has been measuring on this GPU for {}", formatSeconds(waited)),
        "times of kernels that share a GPU mean nothing: run again when it is done"};
  return MeasuringLock(file.release(), waited);
}

Result<MeasuringLock> MeasuringLock::acquire(const std::string& uuid, double patience,
                                             const std::stop_token& stop) {
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
