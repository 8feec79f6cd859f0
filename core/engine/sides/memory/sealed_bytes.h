// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace wb {

/// Bytes that nobody in this process can change any more, the system itself on its behalf neither: a file of
/// memory that is sealed against writing and mapped to be read, so that neither mprotect nor /proc/self/mem
/// opens it. Inside walls, which leave a process no such files, the pages are only protected.
class SealedBytes {
 public:
  /// `forGood`: nothing else can be mapped in their place either, where the system knows that (Linux 6.10),
  /// and then they stay for as long as the process lives.
  explicit SealedBytes(std::string_view bytes, bool forGood = false);
  SealedBytes(SealedBytes&& other) noexcept;
  SealedBytes& operator=(SealedBytes&&) = delete;
  SealedBytes(const SealedBytes&) = delete;
  SealedBytes& operator=(const SealedBytes&) = delete;
  ~SealedBytes();

  /// Empty where there was no memory.
  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool isFree_ = true;
};

}  // namespace wb
