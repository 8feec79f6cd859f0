// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/guest/guest.h"

namespace wb {

/// Where the results of a call may lie.
struct ResultPlaces {
  /// The judge's own tensors of the arguments, whose memory the guest shares.
  Stack arguments;
  /// That memory, and the address at which the guest says that it sees it.
  struct Memory {
    std::shared_ptr<SharedMemory> memory;
    std::uint64_t guestAddress = 0;
  };
  std::vector<Memory> memory;
  /// The job's device; a result that is on no GPU lies in the guest's own memory.
  at::Device device = at::kCPU;
  /// How many bytes all results may have together.
  std::int64_t mostBytes = 0;
};

/// Memory of the guest's own, by its addresses.
struct OwnMemory {
  std::uint64_t begin = 0, bytes = 0;
  /// All of it belongs to the result, without gaps.
  bool isDense = false;
  /// Of its GPU's memory, what it lies in; nothing for the host's.
  std::optional<DeviceSegment> segment{};
};

/// Some pieces of a guest's results at places that nobody can foresee, as they were when it said that it was
/// done: one that is not done yet could fill the rest while the first of it is copied.
class ResultPieces {
 public:
  /// How many are taken of each result.
  static constexpr int count = 32;
  /// Takes pieces of `bytes` bytes at an address of the guest's, which `copy` is or will be the copy of.
  void take(Guest& guest, std::uint64_t address, const std::byte* copy, std::size_t bytes);
  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  /// How long it took to read them, in seconds.
  [[nodiscard]] double seconds() const { return seconds_; }
  /// Whether the copies hold something else than was there.
  [[nodiscard]] bool differ() const;

 private:
  struct Piece {
    std::uint64_t was = 0;
    const std::byte* copy = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Piece> pieces_;
  double seconds_ = 0;
};

/// What results may take when the reference's are as planned: twice as much and something.
[[nodiscard]] std::int64_t mostBytes(const OutputPlan& plan);

/// Takes a guest's results over: what the guest says of them is doubted, and their bytes are copied. A result
/// that shares an argument's memory shares it here too. The guest stands still meanwhile. Errors: what it
/// says cannot be, or its memory cannot be read. `own` gets where those lie that are in no argument's memory,
/// `pieces` some of what lay there before anything was copied.
Result<Stack> readResults(ByteReader& from, const ResultPlaces& places, Guest& guest,
                          std::vector<OwnMemory>* own = nullptr, ResultPieces* pieces = nullptr);

}  // namespace wb
