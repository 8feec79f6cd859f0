// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb {

/// A part of a file that a process has mapped. The file is known by its device and number, "00:01 1234",
/// since two processes may see it under different names.
struct MappedPart {
  std::uint64_t begin = 0, end = 0, offset = 0;
  bool executable = false;
  std::string file;
};
/// What is mapped from files, in the words of /proc/PID/maps.
[[nodiscard]] std::vector<MappedPart> mappedParts(std::string_view maps);
[[nodiscard]] std::vector<MappedPart> mappedParts(pid_t process);
/// The file of a descriptor as MappedPart names it; "" for none.
[[nodiscard]] std::string mappedFileOf(int descriptor);

/// The code of libraries that another process and this one have mapped from the same files.
class LibraryCode {
 public:
  explicit LibraryCode(pid_t other);
  LibraryCode(std::vector<MappedPart> there, std::vector<MappedPart> here)
      : there_(std::move(there)), here_(std::move(here)) {}
  /// The address here of what is at an address there; 0 where this process does not have it.
  [[nodiscard]] std::uintptr_t here(std::uint64_t there) const;

 private:
  std::vector<MappedPart> there_, here_;
};

}  // namespace wb
