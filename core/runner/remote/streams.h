// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

/// Makes reads and writes of a descriptor return at once.
void setNonBlocking(int descriptor);

/// Reads once. Nothing: the stream is at its end, or broken. An empty text: there is nothing to read now.
std::optional<std::string> readSome(int descriptor);

/// Writes what the other side takes now. Nothing: nobody reads any more.
std::optional<std::size_t> writeSome(int descriptor, std::string_view bytes);

/// Reads a line of at most `longest` bytes and nothing after it, however long that takes; nothing where the
/// stream ends before.
std::optional<std::string> readLine(int descriptor, std::size_t longest);

}  // namespace wb
