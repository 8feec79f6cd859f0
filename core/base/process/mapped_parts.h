// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wb {

/// A file by its device and number, since two processes may see it under different names.
struct MappedFile {
  unsigned major = 0, minor = 0;
  std::uint64_t number = 0;
  bool operator==(const MappedFile&) const = default;
};
/// A part of a file that a process has mapped, and where in the file it begins.
struct MappedPart {
  std::uint64_t begin = 0, end = 0;
  MappedFile file;
  std::uint64_t offset = 0;
};
/// What is mapped from files, in the words of /proc/PID/maps. They are read for each result that is copied,
/// and have hundreds of lines.
[[nodiscard]] std::vector<MappedPart> mappedParts(std::string_view maps);
[[nodiscard]] std::vector<MappedPart> mappedParts(pid_t process);
/// Whether memory has the same part of a file at two places, so that whoever writes to one writes to both.
[[nodiscard]] bool liesTwice(const std::vector<MappedPart>& parts, std::uint64_t begin, std::uint64_t end);
/// The file of a descriptor; nothing where there is none.
[[nodiscard]] std::optional<MappedFile> mappedFileOf(int descriptor);

}  // namespace wb
