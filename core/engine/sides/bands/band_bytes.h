// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace wb {

/// A band is a page long; so memory keeps the alignment that torch gives it.
inline constexpr std::size_t bandBytes = 4096;
/// No more pieces of memory than this have bands at a time.
inline constexpr std::size_t mostGuarded = 4096;

/// What somebody wrote outside of the memory that torch gave.
struct WrittenBeyond {
  /// The memory in question.
  const void* data = nullptr;
  /// How many bytes in front of it, or behind it, are other ones now.
  std::size_t inFront = 0, behind = 0;
  explicit operator bool() const { return inFront + behind > 0; }
};

/// A piece of memory with a band on either side.
struct GuardedPiece {
  std::byte* data = nullptr;
  std::size_t size = 0;
};

/// Reads or writes the bytes of one band, be it in the memory of a GPU. False: that is not possible now.
using ReadBand = std::function<bool(std::byte* to, const std::byte* band)>;
using WriteBand = std::function<bool(std::byte* band, const std::byte* from)>;

/// Writes both bands of a piece, with bytes that follow from the secret and the place.
bool writeBands(const GuardedPiece& piece, std::uint64_t secret, const WriteBand& write);
/// Compares both bands with what was written there. Nothing is said where they cannot be read.
[[nodiscard]] WrittenBeyond changedBands(const GuardedPiece& piece, std::uint64_t secret,
                                         const ReadBand& read);

/// The same for memory of the processor.
void writeBands(const GuardedPiece& piece, std::uint64_t secret);
[[nodiscard]] WrittenBeyond changedBands(const GuardedPiece& piece, std::uint64_t secret);

}  // namespace wb
