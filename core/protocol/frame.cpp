// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/frame.h"

#include <fmt/format.h>

#include "core/base/quantity.h"

namespace wb {

namespace {

constexpr std::string_view magic = "WBF1";
constexpr std::size_t maxBanner = std::size_t{64} << 10;

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

std::uint32_t take(std::string_view from, std::size_t offset, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(from[offset + i])) << (8 * i);
  return value;
}

Error broken(std::string text) {
  return Error{Stage::setup, std::move(text), "the other side does not speak Warpbench's protocol"};
}

/// A text of another program made fit to be shown: printable ASCII, cut to a length.
std::string shown(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '.';
  return text;
}

}  // namespace

std::string encode(const Frame& frame) {
  std::string bytes;
  bytes.reserve(frameHeaderBytes + frame.payload.size() + 1);
  bytes += magic;
  put(bytes, frame.payload.size() + 1, 4);
  put(bytes, frame.type, 2);
  put(bytes, frame.flags, 2);
  put(bytes, frame.run, 4);
  bytes += frame.payload;
  bytes += '\n';
  return bytes;
}

void FrameDecoder::feed(std::string_view bytes) {
  if (failure_) return;
  if (start_ == buffer_.size()) {
    buffer_.clear();
    start_ = 0;
  } else if (start_ > (std::size_t{1} << 16) && start_ > buffer_.size() / 2) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
  buffer_ += bytes;
}

Result<std::optional<Frame>> FrameDecoder::next() {
  if (failure_) return *failure_;
  if (!synchronised_) synchronise();
  if (failure_) return *failure_;
  const std::string_view held = std::string_view(buffer_).substr(start_);
  const std::string_view start = held.substr(0, magic.size());
  if (start != magic.substr(0, start.size()))
    return fail(fmt::format("a message starts with \"{}\" instead of \"{}\"", shown(held), magic));
  if (!synchronised_ || held.size() < frameHeaderBytes) return std::optional<Frame>{};
  const std::size_t length = take(held, 4, 4);
  if (length == 0 || length > maxFrameBytes)
    return fail(fmt::format("a message claims to have {}; at most {} are taken",
                            formatBytes(static_cast<double>(length)),
                            formatBytes(static_cast<double>(maxFrameBytes))));
  if (held.size() < frameHeaderBytes + length) return std::optional<Frame>{};
  if (held[frameHeaderBytes + length - 1] != '\n') return fail("a message does not end where it says");
  Frame frame;
  frame.type = static_cast<std::uint16_t>(take(held, 8, 2));
  frame.flags = static_cast<std::uint16_t>(take(held, 10, 2));
  frame.run = take(held, 12, 4);
  frame.payload = held.substr(frameHeaderBytes, length - 1);
  start_ += frameHeaderBytes + length;
  return std::optional<Frame>{std::move(frame)};
}

Error FrameDecoder::fail(std::string text) {
  failure_ = broken(std::move(text));
  buffer_.clear();
  start_ = 0;
  return *failure_;
}

/// Drops what comes before the first magic number, and keeps an end that may be the beginning of one.
void FrameDecoder::synchronise() {
  const std::size_t found = buffer_.find(magic);
  synchronised_ = found != std::string::npos;
  std::size_t drop = synchronised_ ? found : buffer_.size();
  if (!synchronised_) {
    for (std::size_t part = std::min(magic.size() - 1, buffer_.size()); part > 0; --part)
      if (buffer_.ends_with(magic.substr(0, part))) {
        drop = buffer_.size() - part;
        break;
      }
  }
  banner_.append(buffer_, 0, drop);
  buffer_.erase(0, drop);
  if (banner_.size() > maxBanner)
    fail(fmt::format("{} of other text came before the first message: \"{}\"",
                     formatBytes(static_cast<double>(banner_.size())), shown(banner_)));
}

}  // namespace wb
