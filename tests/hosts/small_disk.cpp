// SPDX-License-Identifier: Apache-2.0
#include "tests/hosts/small_disk.h"

#include <sched.h>
#include <sys/mount.h>

namespace wb {

SmallDisk::SmallDisk(const std::filesystem::path& folder, const char* size, unsigned long flags)
    : folder_(folder) {
  std::filesystem::create_directories(folder_);
  isThere_ = ::unshare(CLONE_NEWNS) == 0 &&
             ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
             ::mount("none", folder_.c_str(), "tmpfs", flags, size) == 0;
}

SmallDisk::~SmallDisk() {
  if (isThere_) ::umount2(folder_.c_str(), MNT_DETACH);
}

}  // namespace wb
