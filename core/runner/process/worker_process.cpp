// SPDX-License-Identifier: Apache-2.0
#include "core/runner/process/worker_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <limits>
#include <string_view>

#include "core/base/sandbox/sandbox_launcher.h"

namespace wb {

namespace {

constexpr std::size_t perTurn = std::size_t{1} << 20;
// A pipe holds less than this, unless it is refilled.
constexpr std::size_t untilEmpty = std::size_t{64} * perTurn;
constexpr std::size_t tailBytes = std::size_t{4} << 10;

enum class Got { nothing, bytes, end };

/// Reads once without waiting; `take` gets the bytes.
template <class Take>
Got readOnce(int descriptor, std::size_t& count, Take take) {
  std::array<char, 64 << 10> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  ssize_t got = 0;
  do got = ::read(descriptor, buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) return Got::nothing;
  if (got <= 0) return Got::end;
  count += static_cast<std::size_t>(got);
  take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  return Got::bytes;
}

}  // namespace

WorkerProcess::WorkerProcess(Child child) : child_(std::move(child)) {
  for (const int descriptor : {child_.input(), child_.output(), child_.errors()})
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  // Otherwise a worker that prints a gigabyte would hand it over in portions of 64 KiB, with a switch of
  // processes for each. This is refused where the user's share of pipe memory is used up; then it is only
  // slower.
  for (const int descriptor : {child_.output(), child_.errors()})
    ::fcntl(descriptor, F_SETPIPE_SZ, static_cast<int>(perTurn));
}

std::optional<bool> WorkerProcess::memoryRanOut() const {
  const std::optional<std::uint64_t> now = outOfMemoryKills();
  if (!now || !memoryKills_) return std::nullopt;
  return *now > *memoryKills_;
}

bool WorkerProcess::holdStill(bool still) const {
  const pid_t program = programInside(child_.pid());
  return program > 0 && ::kill(-program, still ? SIGSTOP : SIGCONT) == 0;
}

WorkerProcess::Input WorkerProcess::service() {
  Input input;
  // This is asked before reading: what an ended process had written is all there then.
  input.ended = child_.wait(std::chrono::milliseconds{0}).first;
  const std::size_t limit = input.ended ? untilEmpty : perTurn;
  readErrors(input.errors, limit);
  readMessages(input, limit);
  writeUnsent();
  input.closed = !outputOpen_;
  return input;
}

void WorkerProcess::readMessages(Input& input, std::size_t limit) {
  for (std::size_t count = 0; outputOpen_ && count < limit;) {
    const Got got = readOnce(child_.output(), count, [&](std::string_view bytes) { decoder_.feed(bytes); });
    if (got == Got::nothing) return;
    if (got == Got::end) outputOpen_ = false;
    lastHeard_ = Clock::now();
    while (true) {
      Result<std::optional<Frame>> frame = decoder_.next();
      if (frame && !*frame) break;
      const std::uint32_t run = frame ? (*frame)->run : 0;
      Result<std::optional<Message>> message = frame ? messageIn(**std::move(frame), input.isForged)
                                                     : Result<std::optional<Message>>(frame.error());
      if (!message) {
        input.broken = message.error();
        return;
      }
      if (*message) input.messages.push_back(Received{**std::move(message), run});
    }
  }
}

Result<std::optional<Message>> WorkerProcess::messageIn(Frame frame, bool& isForged) {
  if ((frame.flags & FrameSeal::sealedFlag) == 0) {
    Result<std::optional<Message>> message = fromFrame(frame);
    // What no version knows is ignored, whoever says it. What stands between may have spoken before the key
    // came there, and so before the worker's first sealed word.
    if (!seal_.isUsed() || !message || !*message || (isElsewhere(frame) && !seal_.hasBegun())) return message;
  }
  const std::optional<Frame> opened = seal_.opened(std::move(frame));
  if (opened) return fromFrame(*opened);
  isForged = true;
  return Error{Stage::setup, "a message came that Warpbench did not send (without the worker's seal)"};
}

void WorkerProcess::readErrors(std::string& errors, std::size_t limit) {
  for (std::size_t count = 0; errorsOpen_ && count < limit;) {
    const Got got = readOnce(child_.errors(), count, [&](std::string_view bytes) { errors += bytes; });
    if (got == Got::nothing) break;
    if (got == Got::end) errorsOpen_ = false;
  }
  tail_ += errors;
  if (tail_.size() > tailBytes) tail_.erase(0, tail_.size() - tailBytes);
}

std::string WorkerProcess::takeErrors() {
  std::string errors;
  readErrors(errors, untilEmpty);
  return errors;
}

bool WorkerProcess::send(const Message& message, std::uint32_t run) {
  const Frame frame = toFrame(message, run);
  if (frame.payload.size() + 1 > maxFrameBytes) return false;
  unsent_ += encode(frame);
  writeUnsent();
  return true;
}

void WorkerProcess::welcome(Welcome welcome) {
  welcome.seal = key_ = drawSealKey();
  seal_.use(*welcome.seal);
  send(welcome);
}

void WorkerProcess::give(Built built) {
  built.proof = proofOf(built, key_);
  send(built);
}

void WorkerProcess::writeUnsent() {
  std::size_t done = 0;
  while (done < unsent_.size() && child_.input() >= 0) {
    const ssize_t written = ::write(child_.input(), unsent_.data() + done, unsent_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) break;
    if (written < 0) {
      // Nobody reads any more; other code sees that the worker is gone, or going.
      child_.closeInput();
      break;
    }
    done += static_cast<std::size_t>(written);
  }
  unsent_.erase(0, child_.input() >= 0 ? done : std::string::npos);
}

void WorkerProcess::appendTo(std::vector<pollfd>& waiting) const {
  waiting.push_back({child_.pidfd(), POLLIN, 0});
  if (outputOpen_) waiting.push_back({child_.output(), POLLIN, 0});
  if (errorsOpen_) waiting.push_back({child_.errors(), POLLIN, 0});
  if (hasUnsent() && child_.input() >= 0) waiting.push_back({child_.input(), POLLOUT, 0});
}

void WorkerProcess::appendEndTo(std::vector<pollfd>& waiting) const {
  waiting.push_back({child_.pidfd(), POLLIN, 0});
}

std::optional<Ending> WorkerProcess::ending(std::chrono::milliseconds limit) {
  const auto [ended, how] = child_.wait(limit);
  return ended ? std::optional(how) : std::nullopt;
}

}  // namespace wb
