// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// One message on the wire: header {"WBF1", u32 length, u16 type, u16 flags, u32 run}, little-endian, then
/// the payload (JSON), then '\n' (srun holds back text without one; the newline is counted in `length`). 64
/// MiB at most.
struct Frame {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;
  std::uint32_t run = 0;
  std::string payload;
  bool operator==(const Frame&) const = default;
};

constexpr std::size_t frameHeaderBytes = 16;
constexpr std::size_t maxFrameBytes = std::size_t{64} << 20;

[[nodiscard]] std::string encode(const Frame& frame);

/// Takes bytes as they come and gives frames. Before the first frame up to 64 KiB of other text (a login
/// banner) is skipped. After an error it gives nothing more: a stream that lied once is never trusted again.
class FrameDecoder {
 public:
  void feed(std::string_view bytes);
  /// The next whole frame; nullopt when more bytes are needed; an error for a bad magic or an oversized
  /// length.
  Result<std::optional<Frame>> next();
  /// Bytes held that are not yet a whole frame; at the stream's end anything but 0 means it was cut.
  [[nodiscard]] std::size_t pending() const { return buffer_.size() - start_; }
  /// The text that came before the first frame.
  [[nodiscard]] const std::string& banner() const { return banner_; }

 private:
  Error fail(std::string text);
  void synchronise();

  std::string buffer_;
  std::size_t start_ = 0;
  std::string banner_;
  bool synchronised_ = false;
  std::optional<Error> failure_;
};

}  // namespace wb
