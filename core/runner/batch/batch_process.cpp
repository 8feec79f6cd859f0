// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/text.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::chrono::seconds longestStart{30}, longestEnd{20};
constexpr milliseconds look{20};
constexpr int cannotStart = 127;

fs::path holdFile(const Batch& batch) {
  return batch.folder / "process";
}

/// Asks until an answer is there, or the time is over.
template <class Question>
bool await(std::chrono::seconds limit, Question question) {
  for (const Clock::time_point before = Clock::now() + limit; Clock::now() < before;) {
    if (question()) return true;
    std::this_thread::sleep_for(look);
  }
  return question();
}

/// Becomes the script, with nothing of this process but its environment.
[[noreturn]] void becomeScript(const std::string& script, const std::string& log) {
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int said = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(said, STDOUT_FILENO);
  ::dup2(said, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGPIPE, SIGHUP, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  ::execlp("bash", "bash", script.c_str(), nullptr);
  ::_exit(cannotStart);
}

}  // namespace

Result<BatchHold> BatchHold::take(const Batch& batch) {
  const fs::path path = holdFile(batch);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return Error{Stage::setup, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)),
                 "see whether the disk is full and the folder may be written"};
  BatchHold hold(file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0)
    return Error{Stage::job, fmt::format("the run {} is being done already", batch.id()),
                 fmt::format("`warpbench attach {}` shows how it goes", batch.id())};
  const std::string number = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file, 0) != 0 || ::write(file, number.data(), number.size()) < 0)
    return Error{Stage::setup, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)),
                 "see whether the disk is full"};
  return hold;
}

BatchHold::BatchHold(BatchHold&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

BatchHold::~BatchHold() {
  if (file_ >= 0) ::close(file_);
}

pid_t batchProcess(const Batch& batch) {
  const int file = ::open(holdFile(batch).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const bool isHeld = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  if (!isHeld) return 0;
  const std::string text = readFile(holdFile(batch)).value_or("");
  pid_t process = 0;
  std::from_chars(text.data(), text.data() + text.size(), process);
  return process;
}

Result<std::string> startBatchProcess(const Batch& batch) {
  const std::string script = batch.script().string(), log = batch.log(0).string();
  const pid_t child = ::fork();
  if (child < 0)
    return Error{Stage::setup, fmt::format("no process can be started: {}", std::strerror(errno)),
                 "see whether there is room for more processes"};
  if (child == 0) becomeScript(script, log);
  bool hasEnded = false;
  await(longestStart, [&] {
    if (batchProcess(batch) > 0) return true;
    hasEnded = hasEnded || ::waitpid(child, nullptr, WNOHANG) == child;
    return hasEnded;
  });
  if (const pid_t process = batchProcess(batch); process > 0) return std::to_string(process);
  // A short run may be over by now.
  std::error_code missing;
  if (hasEnded && fs::file_size(batch.events(0), missing) > 0 && !missing) return std::to_string(child);
  if (!hasEnded) ::kill(-child, SIGKILL);
  if (!hasEnded) ::waitpid(child, nullptr, 0);
  const std::string said(trimmed(readFile(batch.log(0)).value_or("")));
  return Error{Stage::setup,
               said.empty() ? "the run's process ended before it began"
                            : fmt::format("the run's process ended before it began: {}", said),
               fmt::format("its script is {}", batch.script().string())};
}

Result<void> endBatchProcess(const Batch& batch) {
  const pid_t process = batchProcess(batch);
  if (process == 0) return {};
  ::kill(process, SIGTERM);
  if (await(longestEnd, [&] { return batchProcess(batch) == 0; })) return {};
  return Error{Stage::setup, fmt::format("the process {} of the run does not end", process),
               "end it by hand on that machine"};
}

}  // namespace wb
