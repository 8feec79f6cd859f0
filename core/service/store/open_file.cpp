// SPDX-License-Identifier: Apache-2.0
#include "core/service/store/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace wb {

Result<OpenFile> OpenFile::open(const std::filesystem::path& file, bool make) {
  constexpr mode_t ownersAlone = 0600;
  const int flags = (make ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC;
  const int descriptor = ::open(file.c_str(), flags, ownersAlone);
  if (descriptor >= 0) return OpenFile(descriptor);
  return Error{Stage::setup, fmt::format("The file {} cannot be opened: {}.", file.string(),
                                         std::generic_category().message(errno))};
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace wb
