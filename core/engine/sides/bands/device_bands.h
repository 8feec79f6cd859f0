// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Allocator.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/engine/sides/bands/band_bytes.h"

namespace wb {

/// How the memory of a device is written and read.
struct DeviceAccess {
  /// Enqueues writing a band where the work of the calling thread is enqueued. False while that work is
  /// recorded for a graph, which would write the band again at each replay.
  WriteBand write;
  /// Reads a band of which all work is done.
  ReadBand read;
  /// Waits for all work of the device; false where nobody may wait now.
  std::function<bool()> wait;
};

/// Gives memory of a device between two bands. What is done with it is done some time after it was enqueued,
/// also after the memory was freed: so what is freed while the bands are watched is kept until all work is
/// done, but for no more than `mostKept` bytes. All may be called by several threads.
class DeviceBands {
 public:
  static constexpr std::size_t mostKeptBytes = std::size_t{1} << 30;
  explicit DeviceBands(DeviceAccess access, std::size_t mostKept = mostKeptBytes)
      : access_(std::move(access)), mostKept_(mostKept) {}

  void begin(std::uint64_t secret);
  /// From now on nothing is looked at; what was kept goes back to its allocator.
  void end();

  /// Memory of `torchs` between bands; without bands where it cannot have any. Throws what `torchs` throws.
  c10::DataPtr allocate(c10::Allocator& torchs, std::size_t size);
  /// Puts bands around memory of somebody's own; `keeps` keeps it until the end.
  void guard(const GuardedPiece& memory, std::shared_ptr<const void> keeps);
  /// The first memory outside of which somebody wrote. All work of the device has to be done.
  std::optional<WrittenBeyond> found();

  /// What torch's allocator gave for this memory: that itself, or what has the bands, too.
  static const c10::DataPtr& given(const c10::DataPtr& memory);
  /// How many bytes lie in front of an address in what torch's allocator gave: those of a band, or none.
  std::size_t before(const void* data);

 private:
  struct Piece {
    DeviceBands* bands;
    c10::DataPtr whole;
    GuardedPiece memory;
  };
  static void free(void* piece);
  void freed(std::unique_ptr<Piece> piece);
  void lookAt(const GuardedPiece& memory);
  void giveBack(bool look);

  const DeviceAccess access_;
  const std::size_t mostKept_;
  std::atomic<bool> isWatching_ = false;
  std::mutex mutex_;
  std::uint64_t secret_ = 0;
  /// The pieces that somebody has, by their first byte.
  std::unordered_map<const void*, Piece*> pieces_;
  std::vector<std::unique_ptr<Piece>> kept_;
  /// Memory of others, and what keeps it.
  std::vector<std::pair<GuardedPiece, std::shared_ptr<const void>>> others_;
  std::size_t keptBytes_ = 0;
  std::optional<WrittenBeyond> found_;
};

}  // namespace wb
