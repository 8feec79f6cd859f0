// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wb {

using Bytes = std::vector<std::byte>;

/// Writes values one after the other, as this machine holds them: both ends are on it.
class ByteWriter {
 public:
  explicit ByteWriter(Bytes& to) : to_(to) {}
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { append(&value, sizeof value); }
  void text(std::string_view value) {
    put(static_cast<std::uint32_t>(value.size()));
    append(value.data(), value.size());
  }
  void block(std::span<const std::byte> value) { append(value.data(), value.size()); }

 private:
  void append(const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    to_.insert(to_.end(), bytes, bytes + size);
  }
  Bytes& to_;
};

/// Reads what a ByteWriter wrote, or what somebody else wants to be taken for that: nothing is read beyond
/// the end, and a count that the rest cannot hold is none. After the first such fault everything reads as
/// zero.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> from) : rest_(from) {}
  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value{};
    if (!has(sizeof value)) return value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  /// At most `most` bytes of the text are kept.
  std::string text(std::size_t most = std::size_t{1} << 20) {
    const std::size_t size = count(1);
    std::string value(reinterpret_cast<const char*>(rest_.data()), std::min(size, most));
    rest_ = rest_.subspan(size);
    return value;
  }
  /// A number of things of at least `each` bytes that follow.
  std::size_t count(std::size_t each) {
    const std::size_t number = get<std::uint32_t>();
    return has(number * each) ? number : 0;
  }
  void fail() {
    bad_ = true;
    rest_ = {};
  }
  [[nodiscard]] bool bad() const { return bad_; }

 private:
  bool has(std::size_t size) {
    if (size <= rest_.size()) return true;
    fail();
    return false;
  }
  std::span<const std::byte> rest_;
  bool bad_ = false;
};

}  // namespace wb
