// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/base/process/process.h"

namespace wb {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

/// A stop token as a descriptor that poll() understands.
class StopDescriptor {
 public:
  explicit StopDescriptor(const std::stop_token& stop)
      : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(stop, Notify{descriptor_}) {}
  StopDescriptor(const StopDescriptor&) = delete;
  StopDescriptor& operator=(const StopDescriptor&) = delete;
  [[nodiscard]] int get() const { return descriptor_.value; }

 private:
  struct Owned {
    explicit Owned(int opened) : value(opened) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
      if (value >= 0) ::close(value);
    }
    int value;
  };
  struct Notify {
    explicit Notify(const Owned& owned) : descriptor(owned.value) {}
    int descriptor;
    void operator()() const {
      const std::uint64_t one = 1;
      [[maybe_unused]] const ssize_t written = ::write(descriptor, &one, sizeof one);
    }
  };
  Owned descriptor_;
  // This stands after the descriptor, so that it is gone before the descriptor is closed.
  std::stop_callback<Notify> callback_;
};

/// One output of the child while it runs.
struct Stream {
  int descriptor;
  std::string* kept;
  const std::function<void(std::string_view)>* onLine = nullptr;
  bool open = true;
};

/// Hands over the whole lines of a text; what follows the last of them stays.
void handOverLines(std::string& text, const std::function<void(std::string_view)>& onLine) {
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', start)) {
    onLine(std::string_view(text).substr(start, end - start));
    start = end + 1;
  }
  text.erase(0, start);
}

/// Reads what is there without waiting. When the text is full, the rest is read and dropped, so that the
/// child never blocks on this process.
void drain(Stream& stream, std::size_t maxOutput, bool& cut) {
  std::array<char, 64 << 10> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  while (stream.open) {
    const ssize_t got = ::read(stream.descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      stream.open = false;
      return;
    }
    const std::size_t room = maxOutput - std::min(maxOutput, stream.kept->size());
    stream.kept->append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
    if (stream.onLine != nullptr) handOverLines(*stream.kept, *stream.onLine);
    cut = cut || static_cast<std::size_t>(got) > room;
    if (cut || stream.onLine != nullptr)
      return;  // back to the deadlines: an endless writer must not keep this loop
  }
}

}  // namespace

Result<Captured> runToEnd(const Command& command, milliseconds deadline, std::stop_token stop,
                          std::size_t maxOutput, const std::function<void(std::string_view)>& onLine) {
  const auto started = Clock::now();
  const StopDescriptor stopped(stop);
  WB_TRY(Child child, Child::start(command));
  child.closeInput();
  Captured result;
  std::array<Stream, 2> streams{Stream{child.output(), &result.out, onLine ? &onLine : nullptr},
                                Stream{child.errors(), &result.err}};
  for (const Stream& stream : streams) ::fcntl(stream.descriptor, F_SETFL, O_NONBLOCK);

  bool ended = false;
  while (!ended) {
    std::array<pollfd, 4> waiting{pollfd{streams[0].open ? streams[0].descriptor : -1, POLLIN, 0},
                                  pollfd{streams[1].open ? streams[1].descriptor : -1, POLLIN, 0},
                                  pollfd{child.pidfd(), POLLIN, 0}, pollfd{stopped.get(), POLLIN, 0}};
    const auto left = std::chrono::ceil<milliseconds>(started + deadline - Clock::now()).count();
    const int ready = ::poll(waiting.data(), waiting.size(), left > 0 ? static_cast<int>(left) : 0);
    if (ready < 0 && errno != EINTR)
      return Error{Stage::setup, fmt::format("cannot wait for {}: {}", command.argv.front(),
                                             std::generic_category().message(errno))};
    if (ready < 0) continue;
    for (Stream& stream : streams) drain(stream, maxOutput, result.cut);
    ended = waiting[2].revents != 0;
    if (ended) break;
    result.stopped = waiting[3].revents != 0;
    result.timedOut = !result.stopped && Clock::now() >= started + deadline;
    if (result.stopped || result.timedOut) break;
  }
  if (!ended) child.kill(SIGKILL);
  result.ending = child.wait(milliseconds{-1}).second;
  // What was written before the end is still in the pipes. Other processes that hold them are not waited for.
  for (Stream& stream : streams) drain(stream, maxOutput, result.cut);
  if (onLine && ended && !result.out.empty()) onLine(std::exchange(result.out, {}));
  result.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return result;
}

}  // namespace wb
