// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near/runner_side.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>

#include "core/runner/remote/streams.h"

namespace wb {
namespace {

constexpr std::size_t mostWaiting = std::size_t{16} << 20;
constexpr std::chrono::milliseconds longestFarewell{10'000}, look{1000};

void writeOut(int descriptor, std::string& bytes) {
  const auto written = writeSome(descriptor, bytes);
  bytes.erase(0, written.value_or(bytes.size()));
}

}  // namespace

RunnerSide::RunnerSide() {
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGQUIT, SIGUSR1}) sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  signals_ = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  std::signal(SIGPIPE, SIG_IGN);
  for (int i = 0; i < 3; ++i) setNonBlocking(i);
}

RunnerSide::~RunnerSide() {
  ::close(signals_);
}

void RunnerSide::appendTo(std::vector<pollfd>& waiting, bool mayRead) const {
  waiting.push_back({signals_, POLLIN, 0});
  if (isInputOpen_ && mayRead) waiting.push_back({0, POLLIN, 0});
  if (!output_.empty()) waiting.push_back({1, POLLOUT, 0});
  if (!errors_.empty()) waiting.push_back({2, POLLOUT, 0});
}

std::vector<int> RunnerSide::takeSignals() const {
  std::vector<int> taken;
  signalfd_siginfo info{};
  while (::read(signals_, &info, sizeof info) == sizeof info)
    taken.push_back(static_cast<int>(info.ssi_signo));
  return taken;
}

std::optional<std::string> RunnerSide::read() {
  if (!isInputOpen_) return std::nullopt;
  std::optional<std::string> bytes = readSome(0);
  isInputOpen_ = bytes.has_value();
  return bytes;
}

bool RunnerSide::hasRoom() const {
  return output_.size() < mostWaiting;
}

void RunnerSide::write() {
  writeOut(1, output_);
  writeOut(2, errors_);
}

void RunnerSide::flush() {
  const auto before = std::chrono::steady_clock::now() + longestFarewell;
  while ((!output_.empty() || !errors_.empty()) && std::chrono::steady_clock::now() < before) {
    std::array<pollfd, 2> all{{{1, POLLOUT, 0}, {2, POLLOUT, 0}}};
    if (output_.empty()) all[0].fd = -1;
    if (errors_.empty()) all[1].fd = -1;
    ::poll(all.data(), all.size(), static_cast<int>(look.count()));
    write();
  }
}

void RunnerSide::leave() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3; ++i) ::dup2(nothing, i);
  isInputOpen_ = false;
}

}  // namespace wb
