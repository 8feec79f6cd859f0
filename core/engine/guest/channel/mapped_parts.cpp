// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/mapped_parts.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/base/text.h"

namespace wb {

std::vector<MappedPart> mappedParts(std::string_view maps) {
  std::vector<MappedPart> parts;
  for (const std::string_view line : splitLines(maps)) {
    unsigned long long begin = 0, end = 0, offset = 0, number = 0;
    std::array<char, 5> rights{};
    std::array<char, 16> device{};
    if (std::sscanf(std::string(line).c_str(), "%llx-%llx %4s %llx %15s %llu", &begin, &end, rights.data(),
                    &offset, device.data(), &number) == 6 &&
        number != 0)
      parts.push_back({begin, end, fmt::format("{} {}", device.data(), number)});
  }
  return parts;
}

std::vector<MappedPart> mappedParts(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/maps", process));
  return mappedParts(std::string{std::istreambuf_iterator<char>(file), {}});
}

std::string mappedFileOf(int descriptor) {
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return {};
  return fmt::format("{:02x}:{:02x} {}", ::major(status.st_dev), ::minor(status.st_dev), status.st_ino);
}

}  // namespace wb
