// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_faults.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "core/protocol/message.h"

namespace wb::fake {

namespace {

void writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void flood(int descriptor, int mebibytes) {
  std::string line(1023, 'x');
  line += '\n';
  std::string block;
  for (int i = 0; i < 1024; ++i) block += line;
  for (int i = 0; i < mebibytes; ++i) writeAll(descriptor, block);
}

[[noreturn]] void sleepForEver() {
  while (true) std::this_thread::sleep_for(std::chrono::hours{1});
}

[[noreturn]] void leaveAGrandchild() {
  if (::fork() == 0) {
    ::setsid();
    ::sleep(3);
    ::_exit(0);
  }
  ::_exit(7);
}

}  // namespace

/// Without a sanitizer's own report in the way.
void dieOf(int signal) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  std::abort();
}

namespace {
std::atomic<bool> hasDaemon = false;
}  // namespace

void endSlowlyWithDaemon() {
  if (!hasDaemon) return;
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds{1});
    ::_exit(0);
  }).detach();
  ::syscall(SYS_exit, 0);
}

void leaveDaemon(const std::string& numberFile) {
  hasDaemon = true;
  if (::fork() != 0) return;
  ::setsid();
  for (const int each : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2}) ::signal(each, SIG_IGN);
  std::ofstream(numberFile) << ::getpid() << std::endl;
  for (int descriptor = 0; descriptor < 64; ++descriptor) ::close(descriptor);
  ::sleep(600);
  ::_exit(0);
}

void strike(const Options& options, int output) {
  const std::string& mode = options.mode;
  if (mode == "hang") sleepForEver();
  if (mode == "sleep-silently") ::raise(SIGSTOP);
  if (mode == "segfault") {
    writeAll(2, "about to read through a null pointer\n");
    dieOf(SIGSEGV);
  }
  if (mode == "abort") dieOf(SIGABRT);
  if (mode == "kill") dieOf(SIGKILL);
  if (mode == "exit") ::_exit(7);
  if (mode == "unheard") ::_exit(runnerWasSilent);
  if (mode == "throw") throw std::runtime_error("nobody catches this");
  if (mode == "flood") flood(2, options.floodMebibytes);
  if (mode == "stdout-flood") flood(output, options.floodMebibytes);
  if (mode == "garbage") writeAll(output, "Segmentation fault, said a kernel on the wrong descriptor\n");
  if (mode == "oversized") writeAll(output, std::string_view("WBF1\xf0\xff\xff\xff\x15\0\0\0\1\0\0\0", 16));
  if (mode == "bad-json") writeAll(output, encode(Frame{21, 0, 1, "{\"event\": "}));
  if (mode == "half-frame") {
    writeAll(output, encode(toFrame(Ping{})).substr(0, 11));
    sleepForEver();
  }
  if (mode == "close") {
    ::close(output);
    sleepForEver();
  }
  if (mode == "orphan") leaveAGrandchild();
}

void strikeAtStart(const std::string& mode, int output) {
  if (mode == "no-hello") sleepForEver();
  if (mode == "hello-garbage") {
    writeAll(output, std::string(100000, '?'));
    sleepForEver();
  }
  if (mode == "banner") writeAll(output, "Welcome to gpu17, please be nice\n");
  if (mode == "exit-at-start") {
    writeAll(2, "ImportError: libfake.so: cannot open shared object file\n");
    ::_exit(3);
  }
  if (mode == "segfault-at-start") dieOf(SIGSEGV);
}

}  // namespace wb::fake
