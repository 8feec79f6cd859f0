// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace wb {

/// What somebody wrote outside of the memory that torch gave.
struct WrittenBeyond {
  /// The memory in question.
  const void* data = nullptr;
  /// How many bytes in front of it, or behind it, are other ones now.
  std::size_t inFront = 0, behind = 0;
};

/// Finds out who writes outside of a tensor: memory that torch's allocator of the processor's memory gives
/// while the bands are in force lies between two bands of secret bytes, which are looked at when it is freed
/// or when somebody asks. What is written there harms nobody. There may be one object at a time, made on the
/// thread that runs kernels while no state of a kernel's is in force; threads of a kernel may allocate too.
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

  /// The first memory outside of which somebody wrote; nothing where all bands are as they were.
  [[nodiscard]] std::optional<WrittenBeyond> found() const;
};

}  // namespace wb
