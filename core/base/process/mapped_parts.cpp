// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/mapped_parts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <tuple>

#include "core/base/text.h"

namespace wb {
namespace {

/// Takes a number and the one character after it from the front of a line.
template <class Number>
Number taken(std::string_view& line, int base) {
  Number number = 0;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), number, base);
  line.remove_prefix(std::min(line.size(), static_cast<std::size_t>(end - line.data()) + 1));
  return number;
}

}  // namespace

/// "7f00-7f10 rw-s 00000000 00:01 1234   /memfd:name"
std::vector<MappedPart> mappedParts(std::string_view maps) {
  constexpr int hex = 16, decimal = 10;
  std::vector<MappedPart> parts;
  for (std::string_view line : splitLines(maps)) {
    MappedPart part;
    part.begin = taken<std::uint64_t>(line, hex);
    part.end = taken<std::uint64_t>(line, hex);
    line.remove_prefix(std::min(line.size(), line.find(' ') + 1));  // what may be done there
    part.offset = taken<std::uint64_t>(line, hex);
    part.file.major = taken<unsigned>(line, hex);
    part.file.minor = taken<unsigned>(line, hex);
    part.file.number = taken<std::uint64_t>(line, decimal);
    if (part.file.number != 0) parts.push_back(part);
  }
  return parts;
}

std::vector<MappedPart> mappedParts(pid_t process) {
  const int file = ::open(fmt::format("/proc/{}/maps", process).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string maps;
  std::array<char, 1 << 16> piece{};
  for (ssize_t size = 0; (size = ::read(file, piece.data(), piece.size())) > 0;)
    maps.append(piece.data(), static_cast<std::size_t>(size));
  ::close(file);
  return mappedParts(maps);
}

bool liesTwice(const std::vector<MappedPart>& parts, std::uint64_t begin, std::uint64_t end) {
  struct Piece {
    MappedFile file;
    std::uint64_t from, to;
  };
  std::vector<Piece> pieces;
  for (const MappedPart& part : parts) {
    const std::uint64_t first = std::max(part.begin, begin), last = std::min(part.end, end);
    if (first < last)
      pieces.push_back({part.file, part.offset + (first - part.begin), part.offset + (last - part.begin)});
  }
  const auto order = [](const Piece& piece) {
    return std::tuple(piece.file.number, piece.file.major, piece.file.minor, piece.from);
  };
  std::sort(pieces.begin(), pieces.end(),
            [&](const Piece& a, const Piece& b) { return order(a) < order(b); });
  return std::adjacent_find(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
           return a.file == b.file && b.from < a.to;
         }) != pieces.end();
}

std::optional<MappedFile> mappedFileOf(int descriptor) {
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return std::nullopt;
  return MappedFile{::major(status.st_dev), ::minor(status.st_dev), status.st_ino};
}

}  // namespace wb
