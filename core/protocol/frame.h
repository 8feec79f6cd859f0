// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace wb {

/// One message on the wire: the header {"WBF1", u32 length, u16 type, u16 flags, u32 run} in little-endian
/// order, then the payload (JSON), then '\n' (srun holds back text without one; the newline is counted in
/// `length`). A frame has 64 MiB at most.
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

/// Takes bytes as they come and gives frames. Up to 64 KiB of other text before the first frame (a login
/// banner) are skipped. After an error it gives nothing more, since the rest of a broken stream cannot be
/// trusted.
class FrameDecoder {
 public:
  void feed(std::string_view bytes);
  /// The next whole frame; nullopt when more bytes are needed; an error for a wrong magic number or a length
  /// that is too large.
  Result<std::optional<Frame>> next();
  /// How many bytes are held that are not a whole frame yet. At the stream's end anything but 0 means that it
  /// was cut.
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
