// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// A part of a file that a process has mapped. The file is known by its device and number, "00:01 1234",
/// since two processes may see it under different names.
struct MappedPart {
  std::uint64_t begin = 0, end = 0;
  std::string file;
};
/// What is mapped from files, in the words of /proc/PID/maps.
[[nodiscard]] std::vector<MappedPart> mappedParts(std::string_view maps);
[[nodiscard]] std::vector<MappedPart> mappedParts(pid_t process);
/// The file of a descriptor as MappedPart names it; "" for none.
[[nodiscard]] std::string mappedFileOf(int descriptor);

}  // namespace wb
