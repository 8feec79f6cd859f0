// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/link.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/base/quantity.h"

namespace wb {
namespace {

// A frame is a word, the length of its text in four bytes, and the text.
constexpr std::size_t headerBytes = 5, longestText = std::size_t{128} << 20;
// Each connection begins with this; a login may print something before it.
constexpr std::string_view start = "\nWARPBENCH LINK 1\n";
constexpr std::size_t longestBanner = std::size_t{64} << 10;
// So many words may come before they are confirmed.
constexpr std::uint64_t confirmEvery = 32;

bool isNumbered(LinkWord word) {
  return word != LinkWord::greet && word != LinkWord::got && word != LinkWord::beat;
}

std::string encoded(LinkWord word, std::string_view text) {
  std::string bytes(1, static_cast<char>(word));
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
  bytes += text;
  return bytes;
}

std::size_t lengthAt(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i + 1])) << (8 * i);
  return length;
}

}  // namespace

void LinkEnd::say(LinkWord word, std::string text) {
  if (isConnected_ && (isGreeted_ || !isNumbered(word))) unwritten_ += encoded(word, text);
  if (!isNumbered(word)) return;
  unconfirmed_ += text.size();
  kept_.push_back({word, std::move(text)});
}

void LinkEnd::connect() {
  isConnected_ = true;
  isGreeted_ = hasStarted_ = false;
  buffer_.clear();
  unwritten_ = std::string(start) + encoded(LinkWord::greet, std::to_string(received_));
}

void LinkEnd::feed(std::string_view bytes) {
  if (!failure_) buffer_ += bytes;
}

Error LinkEnd::fail(std::string text) {
  failure_ = Error{Stage::setup, std::move(text), "what was started there does not speak as Warpbench does"};
  return *failure_;
}

/// Drops what comes before the start, and keeps an end that may be a part of it.
bool LinkEnd::findStart() {
  const std::size_t found = buffer_.find(start);
  if (found != std::string::npos) {
    banner_.append(buffer_, 0, found);
    buffer_.erase(0, found + start.size());
    hasStarted_ = true;
  } else if (buffer_.size() >= start.size()) {
    const std::size_t drop = buffer_.size() - start.size() + 1;
    banner_.append(buffer_, 0, drop);
    buffer_.erase(0, drop);
  }
  if (banner_.size() > longestBanner)
    fail(fmt::format("{} of other text came before the first word",
                     formatBytes(static_cast<double>(banner_.size()))));
  return hasStarted_;
}

/// The other end has received so many words: what it lacks is said again at the start of a connection.
Result<void> LinkEnd::takeCount(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (wrong != std::errc{} || end != text.data() + text.size() || count < firstKept_ ||
      count > firstKept_ + kept_.size())
    return fail("the two ends of the link do not agree on what was said");
  for (; firstKept_ < count; ++firstKept_) {
    unconfirmed_ -= kept_.front().text.size();
    kept_.pop_front();
  }
  return {};
}

void LinkEnd::confirm() {
  confirmed_ = received_;
  if (isConnected_) unwritten_ += encoded(LinkWord::got, std::to_string(received_));
}

Result<std::optional<LinkFrame>> LinkEnd::next() {
  while (true) {
    if (failure_) return *failure_;
    if (!hasStarted_ && !findStart()) {
      if (failure_) return *failure_;
      return std::optional<LinkFrame>{};
    }
    if (buffer_.size() < headerBytes) break;
    const std::size_t length = lengthAt(buffer_);
    const auto word = static_cast<LinkWord>(buffer_.front());
    if (word > LinkWord::log || length > longestText) return fail("the link carries other text");
    if (buffer_.size() < headerBytes + length) break;
    LinkFrame frame{word, buffer_.substr(headerBytes, length)};
    buffer_.erase(0, headerBytes + length);
    wasAnswered_ = wasAnswered_ || word != LinkWord::greet;
    if (isNumbered(word)) {
      ++received_;
      const bool isLast = word == LinkWord::ended || word == LinkWord::refused;
      if (isLast || received_ - confirmed_ >= confirmEvery) confirm();
      return std::optional<LinkFrame>{std::move(frame)};
    }
    if (word == LinkWord::beat) {
      if (received_ != confirmed_) confirm();
      continue;
    }
    WB_DO(takeCount(frame.text));
    if (word != LinkWord::greet) continue;
    isGreeted_ = true;
    for (const LinkFrame& each : kept_) unwritten_ += encoded(each.word, each.text);
  }
  return std::optional<LinkFrame>{};
}

}  // namespace wb
