// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/protocol/frame.h"

namespace wb {

/// What a runner and its worker know, and a kernel that finds their channel among the open files does not.
using SealKey = std::array<std::uint8_t, 16>;

[[nodiscard]] SealKey drawSealKey();

/// SipHash-2-4 (J.-P. Aumasson and D. J. Bernstein, 2012), a keyed hash of 64 bits.
[[nodiscard]] std::uint64_t sipHash(const SealKey& key, std::string_view bytes);

/// One end's seals on what it sends, or its look at those of the other end. A sealed frame has the flag
/// `sealedFlag`, and at the end of its payload its number and the keyed hash of number, type, run and
/// payload, each as 16 hexadecimal digits. Each number follows the one before, so that no frame can be sent
/// again or left out.
class FrameSeal {
 public:
  static constexpr std::uint16_t sealedFlag = 1;
  /// How many bytes longer a sealed frame is.
  static constexpr std::size_t bytes = 32;

  /// Everything is sealed from now on.
  void use(const SealKey& key) { key_ = key; }
  [[nodiscard]] bool isUsed() const { return key_.has_value(); }
  /// Some frame was sealed or opened.
  [[nodiscard]] bool hasBegun() const { return number_ > 0; }
  /// The frame with a seal; as it is before use().
  [[nodiscard]] Frame sealed(Frame frame);
  /// The frame without its seal; nothing where it has none or not the next one. Before use() all are taken.
  [[nodiscard]] std::optional<Frame> opened(Frame frame);

 private:
  std::optional<SealKey> key_;
  std::uint64_t number_ = 0;
};

}  // namespace wb
