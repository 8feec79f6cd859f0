// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum.h"
#include "core/base/result.h"

namespace wb {

/// What the two ends of a link say to each other. `greet`, `got` and `beat` are about the connection itself;
/// all others are numbered, and none of them is lost or comes twice when the connection is made anew.
enum class LinkWord : std::uint8_t {
  greet,    // how much the sender has received, at the start of each connection
  got,      // the same, later
  beat,     // a sign of life
  input,    // to the worker's standard input
  close,    // its standard input ends
  signal,   // a signal for it, as a decimal number
  output,   // of the worker's standard output
  errors,   // of its standard error
  ended,    // how it ended: "EXITCODE SIGNAL"
  refused,  // why it was not started: a line, and below it what to do
  folder,   // said once, before anything of the worker: where files of kernels are kept there
  files,    // such files, before the input that needs them
  log       // all that compute-sanitizer has written, before `ended`
};

struct LinkFrame {
  LinkWord word = LinkWord::beat;
  std::string text{};
  bool operator==(const LinkFrame&) const = default;
};

/// One end of a link: a stream of words that outlives its connections. It does not know what carries it.
class LinkEnd {
 public:
  /// Says a word; it is kept until the other end has it.
  void say(LinkWord word, std::string text = {});
  /// A new connection: the greeting is said first.
  void connect();
  /// There is no connection any more.
  void disconnect() { isConnected_ = isGreeted_ = false; }
  [[nodiscard]] bool isConnected() const { return isConnected_; }
  /// The other end has greeted on this connection.
  [[nodiscard]] bool isGreeted() const { return isGreeted_; }
  /// The other end has once said more than a greeting: it has heard this one, and may come back.
  [[nodiscard]] bool wasAnswered() const { return wasAnswered_; }

  /// The bytes that came on the connection.
  void feed(std::string_view bytes);
  /// The next word of the other end, but for those about the connection. Error: the stream is none of ours,
  /// or the other end wants what is not kept any more.
  Result<std::optional<LinkFrame>> next();
  /// Text of others that came before the greeting, such as a login's.
  [[nodiscard]] const std::string& banner() const { return banner_; }

  /// What is to be written on the connection; `wrote` takes from its front.
  [[nodiscard]] std::string_view unwritten() const { return unwritten_; }
  void wrote(std::size_t bytes) { unwritten_.erase(0, bytes); }

  /// How many bytes of text the other end has not confirmed.
  [[nodiscard]] std::size_t unconfirmed() const { return unconfirmed_; }

 private:
  Error fail(std::string text);
  bool findStart();
  Result<void> takeCount(std::string_view text);
  void confirm();

  std::deque<LinkFrame> kept_;
  /// The number of the first that is kept, and of the next to be received.
  std::uint64_t firstKept_ = 0, received_ = 0, confirmed_ = 0;
  std::size_t unconfirmed_ = 0;
  std::string unwritten_, buffer_, banner_;
  bool isConnected_ = false, isGreeted_ = false, hasStarted_ = false, wasAnswered_ = false;
  std::optional<Error> failure_;
};

}  // namespace wb
