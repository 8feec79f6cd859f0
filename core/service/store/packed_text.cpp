// SPDX-License-Identifier: Apache-2.0
#include "core/service/store/packed_text.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>

namespace wb {
namespace {
constexpr std::uint64_t longest = std::uint64_t{4} << 30;
}

std::string packed(std::string_view text) {
  const std::uint64_t length = text.size();
  uLongf room = compressBound(static_cast<uLong>(length));
  std::string bytes(sizeof length + room, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  // With as much room as compressBound() says this fails in no case but for want of memory.
  const int code = compress2(reinterpret_cast<Bytef*>(bytes.data() + sizeof length), &room,
                             reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(length), 1);
  if (code != Z_OK) throw std::bad_alloc();
  bytes.resize(sizeof length + room);
  return bytes;
}

Result<std::string> unpacked(std::string_view bytes) {
  const Error damaged{Stage::job, "What the service has kept of this run is damaged."};
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return damaged;
  std::memcpy(&length, bytes.data(), sizeof length);
  // zlib packs at most a thousand to one, so a longer length is no length.
  if (length > longest || length / 1100 > bytes.size()) return damaged;
  std::string text(length, '\0');
  uLongf room = static_cast<uLongf>(length);
  const int code = uncompress(reinterpret_cast<Bytef*>(text.data()), &room,
                              reinterpret_cast<const Bytef*>(bytes.data() + sizeof length),
                              static_cast<uLong>(bytes.size() - sizeof length));
  if (code != Z_OK || room != length) return damaged;
  return text;
}

}  // namespace wb
