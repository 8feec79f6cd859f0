// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "run-";
// Between its making and its locking a folder must not pass for one that was left.
constexpr std::chrono::minutes youngest{1};

int lockFolder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0) return folder;
  ::close(folder);
  return -1;
}

void removeLeftOnes(const std::string& parent) {
  std::error_code failed;
  const auto now = fs::file_time_type::clock::now();
  for (auto each = fs::directory_iterator(parent, failed); !failed && each != fs::directory_iterator();
       each.increment(failed)) {
    if (!each->path().filename().string().starts_with(prefix)) continue;
    std::error_code ignored;
    if (now - fs::last_write_time(each->path(), ignored) < youngest || ignored) continue;
    const int lock = lockFolder(each->path().string());
    if (lock < 0) continue;
    fs::remove_all(each->path(), ignored);
    ::close(lock);
  }
}

}  // namespace

Result<RunFolder> RunFolder::make(const std::string& parent) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  removeLeftOnes(parent);
  RunFolder folder;
  std::string path = parent + "/" + prefix + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr)
    return Error{Stage::setup, fmt::format("no scratch folder can be made in {}: {}", parent,
                                           std::generic_category().message(errno))};
  folder.path_ = std::move(path);
  folder.lock_ = lockFolder(folder.path_);
  return folder;
}

RunFolder::~RunFolder() {
  remove();
}

void RunFolder::remove() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(std::exchange(path_, {}), ignored);
  if (lock_ >= 0) ::close(std::exchange(lock_, -1));
}

}  // namespace wb
