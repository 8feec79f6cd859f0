// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupts.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

namespace wb {
namespace {

constexpr int cancelledStatus = 130;

// A pipe, since a handler may not do more than write.
std::array<int, 2> interrupts{-1, -1};
void onInterrupt(int) {
  const char byte = 'i';
  [[maybe_unused]] const auto written = write(interrupts[1], &byte, 1);
}

}  // namespace

Interrupts::Interrupts(std::function<void()> cancel) : cancel_(std::move(cancel)) {
  if (pipe2(interrupts.data(), O_CLOEXEC) != 0) return;
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Interrupts::~Interrupts() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  close(interrupts[0]);
  close(interrupts[1]);
}

void Interrupts::watch(const std::stop_token& stop) const {
  for (int seen = 0; !stop.stop_requested();) {
    pollfd waiting{interrupts[0], POLLIN, 0};
    if (poll(&waiting, 1, 100) <= 0) continue;
    char byte = 0;
    if (read(interrupts[0], &byte, 1) != 1) continue;
    if (++seen > 1) _exit(cancelledStatus);
    std::fputs("\ncancelling (once more to leave at once)\n", stderr);
    cancel_();
  }
}

}  // namespace wb
