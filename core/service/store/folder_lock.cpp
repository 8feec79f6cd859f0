// SPDX-License-Identifier: Apache-2.0
#include "core/service/store/folder_lock.h"

#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

namespace wb {

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  const auto refused = [&](const std::string& why) {
    return Error{Stage::setup, fmt::format("The folder {} cannot be used: {}", folder.string(), why),
                 "give another one, or make this one writable"};
  };
  std::error_code failure;
  if (fs::create_directories(folder, failure))
    // Other users' jobs are in it.
    fs::permissions(folder, fs::perms::owner_all, failure);
  if (failure) return refused(failure.message() + ".");
  Result<OpenFile> file = OpenFile::open(folder / "lock", true);
  if (!file) return refused(file.error().text);
  if (::flock(file->descriptor(), LOCK_EX | LOCK_NB) == 0) return FolderLock(*std::move(file));
  if (errno != EWOULDBLOCK) return refused(std::generic_category().message(errno) + ".");
  return Error{Stage::setup, fmt::format("Another service has the folder {}.", folder.string()),
               "end that one first, or give this one a folder of its own"};
}

}  // namespace wb
