// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/sides/bands/band_bytes.h"

namespace wb {

/// Finds out who writes outside of a tensor: memory that torch's allocators give, of the processor's memory
/// and of a GPU's, while the bands are in force lies between two bands of secret bytes. They are looked at
/// when somebody asks, and the processor's when it is freed. What is written there harms nobody. There may be
/// one object at a time, made on the thread that runs kernels while no state of a kernel's is in force;
/// threads of a kernel may allocate too.
class GuardBands {
 public:
  explicit GuardBands(std::uint64_t secret);
  ~GuardBands();
  GuardBands(const GuardBands&) = delete;
  GuardBands& operator=(const GuardBands&) = delete;

  /// The bands are in force while it lives, but where somebody has put an allocator of their own in torch's
  /// place.
  class InForce {
   public:
    explicit InForce(GuardBands& bands);
    ~InForce();
    InForce(const InForce&) = delete;
    InForce& operator=(const InForce&) = delete;
  };

  /// Whether bands are in force now: who moves a tensor to memory of their own leaves `bandBytes` on either
  /// side of it then.
  static bool areInForce();
  /// Makes such memory part of what is looked at; `keeps` keeps it until then.
  static void guard(const GuardedPiece& piece, c10::Device device, std::shared_ptr<const void> keeps);

  /// The first memory outside of which somebody wrote; nothing where all bands are as they were. All work of
  /// the GPU has to be done.
  [[nodiscard]] std::optional<WrittenBeyond> found() const;
};

}  // namespace wb
