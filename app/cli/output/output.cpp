// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "core/figures/text/text_width.h"
#include "core/model/exit/exit_status.h"

namespace wb {
namespace {

// These belong to this process's standard output, of which there is one.
/// errno of the first write that failed.
std::atomic<int> shownError{0};
bool outputWasClosed = false;

void remember(int code) {
  int none = 0;
  shownError.compare_exchange_strong(none, code != 0 ? code : EIO);
}

void writeTo(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

void openStandardDescriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    if (descriptor == STDOUT_FILENO) outputWasClosed = true;
    // The lowest free number is this one, since those below are open by now.
    [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);
  }
}

void show(std::string_view text) {
  if (shownError != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember(errno);
}

void flushShown() {
  if (shownError != 0) return;
  errno = 0;
  if (std::fflush(stdout) != 0) remember(errno);
}

void say(std::string_view line) {
  flushShown();  // on a terminal everything appears in the order in which it was said
  writeTo(stderr, printableLines(line) + "\n");
}

void complain(std::string_view what) {
  say(fmt::format("warpbench: {}", what));
}

void complain(const Error& error) {
  complain(describe(error));
}

int refuse(const Error& error) {
  complain(error);
  return error.stage == Stage::setup ? ExitStatus::noWorker : ExitStatus::usage;
}

std::string printableLines(std::string_view text) {
  std::string lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines += printable(text.substr(start, end - start));
    if (end < text.size()) lines += '\n';
    start = end + 1;
  }
  return lines;
}

std::string wordsOfKernel(std::string_view text) {
  std::string words;
  for (const char each : printableLines(text))
    words += each == '\n' ? std::string("\n    ") : std::string(1, each);
  return words;
}

Result<void> checkJsonTarget(const std::string& target) {
  if (target != "-" || !outputWasClosed) return {};
  return Error{Stage::job, "--json -: the program was started without a standard output", "name a file"};
}

int settled(int status) {
  flushShown();
  const int code = shownError;
  if (code == 0 || code == EPIPE) return status;
  complain(fmt::format("cannot write to standard output: {}", std::generic_category().message(code)));
  return status == ExitStatus::good ? ExitStatus::usage : status;
}

}  // namespace wb
