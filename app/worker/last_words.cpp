// SPDX-License-Identifier: Apache-2.0
#include "app/worker/last_words.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace wb {
namespace {

// This is written once before the handlers are installed, and then only read, by code that may not take a
// lock.
Descriptors open;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void copyTheRest(int from) {
  constexpr int mostChunks = 64;
  std::array<char, 4096> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (int i = 0; i < mostChunks; ++i) {
    const ssize_t got = read(from, chunk.data(), chunk.size());
    if (got <= 0) return;
    (void)!write(open.errors, chunk.data(), static_cast<std::size_t>(got));
  }
}

/// Gives the pump a moment to send what it can in order, and writes the rest here.
void flushPipes() {
  const timespec moment{0, 20'000'000};
  nanosleep(&moment, nullptr);
  copyTheRest(open.printed);
  copyTheRest(open.complained);
}

void onFatalSignal(int signal) {
  flushPipes();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void onExit(int status, void*) {
  std::fflush(nullptr);
  flushPipes();
  _exit(status);  // torch's destructors crash while other threads still run
}

}  // namespace

void forgetLastWords() {
  open = {};
}

void keepLastWords(const Descriptors& descriptors) {
  open = descriptors;
  if (open.errors >= 0) fcntl(open.errors, F_SETFL, fcntl(open.errors, F_GETFL) | O_NONBLOCK);
  static std::array<char, 64 << 10> stack;  // after a stack overflow there is no other stack
  const stack_t alternative{stack.data(), 0, stack.size()};
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = onFatalSignal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    sigaction(signal, &action, nullptr);
  on_exit(onExit, nullptr);
}

}  // namespace wb
