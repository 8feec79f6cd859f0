// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "core/base/quantity.h"

namespace wb {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

Error channelError(std::string_view what, int code) {
  return Error{Stage::setup, fmt::format("{}: {}", what, std::generic_category().message(code))};
}

/// Waits until `descriptor` is ready; false when `deadline` passed first.
bool waitFor(int descriptor, short events, std::optional<Clock::time_point> deadline) {
  while (true) {
    int limit = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<milliseconds>(*deadline - Clock::now()).count();
      limit = left > 0 ? static_cast<int>(left) : 0;
    }
    pollfd waiting{descriptor, events, 0};
    const int ready = ::poll(&waiting, 1, limit);
    if (ready > 0) return true;
    if (ready == 0) return false;
    // The read or write that follows says what is wrong.
    if (errno != EINTR) return true;
  }
}

}  // namespace

Result<void> MessageWriter::send(const Message& message, std::uint32_t run) {
  Frame frame = toFrame(message, run);
  if (frame.payload.size() + FrameSeal::bytes + 1 > maxFrameBytes)
    return Error{Stage::setup,
                 fmt::format("a message of {} is too large to send; at most {} are taken",
                             formatBytes(static_cast<double>(frame.payload.size())),
                             formatBytes(static_cast<double>(maxFrameBytes))),
                 "run fewer kernels or cases at a time"};
  const std::lock_guard lock(mutex_);
  const std::string bytes = encode(seal_.sealed(std::move(frame)));
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      waitFor(descriptor_, POLLOUT, std::nullopt);
    } else if (errno != EINTR) {
      return channelError("cannot send a message, the other side is gone", errno);
    }
  }
  return {};
}

void MessageWriter::sealWith(const SealKey& key) {
  const std::lock_guard lock(mutex_);
  seal_.use(key);
}

Error MessageReader::fail(Error error) {
  failure_ = error;
  return error;
}

Result<std::optional<Received>> MessageReader::receive(milliseconds limit) {
  if (failure_) return *failure_;
  timedOut_ = false;
  std::optional<Clock::time_point> deadline;
  if (limit.count() >= 0) deadline = Clock::now() + limit;
  std::array<char, 64 << 10> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  while (true) {
    Result<std::optional<Frame>> frame = decoder_.next();
    if (!frame) return fail(frame.error());
    if (*frame) {
      Result<std::optional<Message>> message = fromFrame(**frame);
      if (!message) return fail(message.error());
      if (!*message) continue;
      return std::optional<Received>{Received{**std::move(message), (*frame)->run}};
    }
    if (!waitFor(descriptor_, POLLIN, deadline)) {
      timedOut_ = true;
      return std::optional<Received>{};
    }
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return fail(channelError("cannot receive a message", errno));
    if (got == 0 && decoder_.pending() > 0)
      return fail(Error{Stage::setup, "the stream ended in the middle of a message"});
    if (got == 0) return std::optional<Received>{};
    decoder_.feed(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  }
}

}  // namespace wb
