// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/bands/band_bytes.h"

#include <array>
#include <cstring>

namespace wb {
namespace {

using Band = std::array<std::byte, bandBytes>;

/// The bytes of a band, eight at a time.
std::uint64_t wordOf(std::uint64_t seed, std::size_t place) {
  std::uint64_t word = seed + 0x9e3779b97f4a7c15U * (place + 1);
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

void fill(std::byte* band, std::uint64_t seed) {
  for (std::size_t at = 0; at < bandBytes; at += sizeof seed) {
    const std::uint64_t word = wordOf(seed, at);
    std::memcpy(band + at, &word, sizeof word);
  }
}

std::size_t changed(const std::byte* band, std::uint64_t seed) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < bandBytes; at += sizeof seed) {
    const std::uint64_t word = wordOf(seed, at);
    if (std::memcmp(band + at, &word, sizeof word) == 0) continue;
    for (std::size_t i = 0; i < sizeof word; ++i)
      count += band[at + i] != reinterpret_cast<const std::byte*>(&word)[i] ? 1 : 0;
  }
  return count;
}

std::uint64_t seedInFront(const GuardedPiece& piece, std::uint64_t secret) {
  return secret ^ reinterpret_cast<std::uintptr_t>(piece.data);
}

std::uint64_t seedBehind(const GuardedPiece& piece, std::uint64_t secret) {
  return ~seedInFront(piece, secret);
}

std::byte* bandInFront(const GuardedPiece& piece) {
  return piece.data - bandBytes;
}

std::byte* bandBehind(const GuardedPiece& piece) {
  return piece.data + piece.size;
}

}  // namespace

bool writeBands(const GuardedPiece& piece, std::uint64_t secret, const WriteBand& write) {
  Band bytes;
  fill(bytes.data(), seedInFront(piece, secret));
  if (!write(bandInFront(piece), bytes.data())) return false;
  fill(bytes.data(), seedBehind(piece, secret));
  return write(bandBehind(piece), bytes.data());
}

WrittenBeyond changedBands(const GuardedPiece& piece, std::uint64_t secret, const ReadBand& read) {
  Band bytes;
  WrittenBeyond beyond{piece.data, 0, 0};
  if (read(bytes.data(), bandInFront(piece)))
    beyond.inFront = changed(bytes.data(), seedInFront(piece, secret));
  if (read(bytes.data(), bandBehind(piece))) beyond.behind = changed(bytes.data(), seedBehind(piece, secret));
  return beyond;
}

void writeBands(const GuardedPiece& piece, std::uint64_t secret) {
  fill(bandInFront(piece), seedInFront(piece, secret));
  fill(bandBehind(piece), seedBehind(piece, secret));
}

WrittenBeyond changedBands(const GuardedPiece& piece, std::uint64_t secret) {
  return {piece.data, changed(bandInFront(piece), seedInFront(piece, secret)),
          changed(bandBehind(piece), seedBehind(piece, secret))};
}

}  // namespace wb
