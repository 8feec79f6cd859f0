// SPDX-License-Identifier: Apache-2.0
#include "app/worker/log_pump.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "core/base/quantity.h"

namespace wb {
namespace {

constexpr std::size_t chunkBytes = std::size_t{64} << 10;
constexpr std::chrono::seconds longestDrain{5};  // a thread of user code may print for ever

}  // namespace

LogPump::LogPump(const Descriptors& descriptors) : descriptors_(descriptors) {
  if (pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) wake_[0] = wake_[1] = -1;
  thread_ = std::thread([this] { pump(); });
}

LogPump::~LogPump() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  (void)!write(wake_[1], "x", 1);
  thread_.join();
  close(wake_[0]);
  close(wake_[1]);
}

void LogPump::begin(std::int64_t maxBytes, Sink sink) {
  drain();  // what threads of the last job printed belongs to no job
  const std::lock_guard lock(mutex_);
  sink_ = std::move(sink);
  room_ = maxBytes;
  dropped_ = 0;
}

void LogPump::drain() {
  std::fflush(stdout);
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = ++asked_;
  (void)!write(wake_[1], "x", 1);
  idle_.wait_for(lock, longestDrain, [&] { return answered_ >= mine; });
}

void LogPump::end() {
  drain();
  const std::lock_guard lock(mutex_);
  if (dropped_ > 0 && sink_)
    sink_(Log{"worker", fmt::format("output cut: {} dropped", formatBytes(static_cast<double>(dropped_)))});
  sink_ = nullptr;
}

void LogPump::pump() {
  while (true) {
    std::array<pollfd, 3> waiting{pollfd{wake_[0], POLLIN, 0}, pollfd{descriptors_.printed, POLLIN, 0},
                                  pollfd{descriptors_.complained, POLLIN, 0}};
    poll(waiting.data(), waiting.size(), -1);
    std::uint64_t asked = 0;
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      asked = asked_;
    }
    std::array<char, 64> signals{};
    while (read(wake_[0], signals.data(), signals.size()) > 0) {
    }
    // One chunk of each is read in turn, so that neither waits for the other.
    const bool printed = take(descriptors_.printed, "stdout");
    const bool more = take(descriptors_.complained, "stderr") || printed;
    if (more) {
      if (asked > 0) (void)!write(wake_[1], "x", 1);  // the pump looks again before it answers
      continue;
    }
    const std::lock_guard lock(mutex_);
    answered_ = asked;
    idle_.notify_all();
  }
}

/// True when there was something to take.
bool LogPump::take(int descriptor, const char* source) {
  std::array<char, chunkBytes> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const ssize_t got = read(descriptor, chunk.data(), chunk.size());
  if (got <= 0) return false;
  give(source, std::string_view(chunk.data(), static_cast<std::size_t>(got)));
  return true;
}

void LogPump::give(const char* source, std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t kept = std::min(size, std::max<std::int64_t>(room_, 0));
  room_ -= kept;
  dropped_ += size - kept;
  if (kept > 0 && sink_) sink_(Log{source, std::string(text.substr(0, static_cast<std::size_t>(kept)))});
}

}  // namespace wb
