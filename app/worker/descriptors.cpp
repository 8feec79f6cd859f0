// SPDX-License-Identifier: Apache-2.0
#include "app/worker/descriptors.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace wb {
namespace {

constexpr int pipeBytes = 1 << 20;  // so that a kernel that prints much seldom waits for the pump

Error failed(const char* what) {
  return Error{Stage::setup, std::string(what) + ": " + std::generic_category().message(errno)};
}

int moveAway(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
}

/// Puts a pipe's write end at `descriptor` and gives its read end.
int captured(int descriptor) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
  const int reading = moveAway(ends[0]);
  close(ends[0]);
  const bool placed = dup2(ends[1], descriptor) == descriptor;
  close(ends[1]);
  if (!placed || reading < 0) return -1;
  fcntl(reading, F_SETPIPE_SZ, pipeBytes);  // as large as the system allows
  fcntl(reading, F_SETFL, O_NONBLOCK);
  return reading;
}

// There is one protocol per process, and a handler of forks knows no more than this.
Descriptors moved;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void forgetDescriptors() {
  moved = {};
}

Result<Descriptors> moveDescriptors() {
  moved.input = moveAway(0);
  moved.output = moveAway(1);
  moved.errors = moveAway(2);
  if (moved.input < 0 || moved.output < 0) return failed("standard input and output must be open");
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return failed("/dev/null");
  dup2(nothing, 0);
  if (nothing > 2) close(nothing);
  moved.printed = captured(1);
  moved.complained = captured(2);
  if (moved.printed < 0 || moved.complained < 0) return failed("capturing standard output");
  // A child that a kernel forks must neither speak to the runner nor keep its pipes open.
  pthread_atfork(nullptr, nullptr, [] {
    close(moved.input);
    close(moved.output);
  });
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // on a pipe it would wait until its buffer is full
  return moved;
}

}  // namespace wb
