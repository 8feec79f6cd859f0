// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/interrupts.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <vector>

#include "core/model/exit/exit_status.h"

namespace wb {
namespace {

// A pipe, since a signal handler may only write.
std::array<int, 2> interrupts{-1, -1};
constexpr char hangUp = 'h', interrupt = 'i';
void onInterrupt(int number) {
  const char byte = number == SIGHUP ? hangUp : interrupt;
  [[maybe_unused]] const auto written = write(interrupts[1], &byte, 1);
}

/// The signals that are caught. A terminal that goes away (an ssh connection that drops) ends a run with its
/// report, as SIGTERM does; under nohup, which ignores that signal, the run goes on.
std::vector<int> caught() {
  struct sigaction now {};
  const bool ignored = sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
  return ignored ? std::vector{SIGINT, SIGTERM} : std::vector{SIGINT, SIGTERM, SIGHUP};
}

}  // namespace

Interrupts::Interrupts(std::function<void()> cancel) : cancel_(std::move(cancel)) {
  if (pipe2(interrupts.data(), O_CLOEXEC) != 0) return;
  for (const int number : caught()) std::signal(number, onInterrupt);
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Interrupts::~Interrupts() {
  for (const int number : caught()) std::signal(number, SIG_DFL);
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
    // Both the shell and the system may say that a terminal is gone.
    if (byte == hangUp && std::signal(SIGHUP, SIG_IGN) != SIG_ERR && seen > 0) continue;
    if (++seen > 1) _exit(ExitStatus::cancelled);
    std::fputs("\ncancelling (once more to leave at once)\n", stderr);
    cancel_();
  }
}

}  // namespace wb
