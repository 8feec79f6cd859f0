// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/forked.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "core/engine/sides/process/loaded_function.h"
#include "core/engine/sides/process/one_thread.h"

namespace wb {

namespace {

/// With what a fork ends whose work threw something, and with what one does whose work is done: nobody else
/// is likely to give these to exit().
constexpr int threwCode = 97, doneCode = 98;

/// What Python's interpreter wants to be told of a fork, where there is one in this process.
class PythonsFork {
 public:
  PythonsFork() {
    const auto isThere = loadedFunction<int()>("Py_IsInitialized");
    const auto ensure = loadedFunction<int()>("PyGILState_Ensure");
    release_ = loadedFunction<void(int)>("PyGILState_Release");
    const auto before = loadedFunction<void()>("PyOS_BeforeFork");
    inParent_ = loadedFunction<void()>("PyOS_AfterFork_Parent");
    inChild_ = loadedFunction<void()>("PyOS_AfterFork_Child");
    isOn_ = isThere != nullptr && isThere() != 0 && ensure != nullptr && release_ != nullptr &&
            before != nullptr && inParent_ != nullptr && inChild_ != nullptr;
    if (!isOn_) return;
    state_ = ensure();
    before();
  }
  void forked(bool isChild) {
    if (!isOn_) return;
    (isChild ? inChild_ : inParent_)();
    release_(state_);
  }

 private:
  bool isOn_ = false;
  int state_ = 0;
  void (*release_)(int) = nullptr;
  void (*inParent_)() = nullptr;
  void (*inChild_)() = nullptr;
};

[[noreturn]] void work(const std::function<void(const SayInFork& say)>& what, int pipe) {
  // Whatever it starts, such as a compiler, ends with it.
  ::setpgid(0, 0);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) ::signal(signal, SIG_DFL);
  if (const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0) {
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  }
  // The threads of torch's pool are not there any more.
  const OneThread alone;
  try {
    what([pipe](const std::string& words) {
      std::size_t at = 0;
      while (at < words.size()) {
        const ssize_t done = ::write(pipe, words.data() + at, words.size() - at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) ::_exit(1);
        at += static_cast<std::size_t>(done);
      }
    });
  } catch (...) {
    ::_exit(threwCode);  // what was said until then stands
  }
  ::_exit(doneCode);
}

ForkedAnswer::Ending endingOf(int status) {
  using Ending = ForkedAnswer::Ending;
  if (WIFSIGNALED(status)) return Ending::signal;
  if (WEXITSTATUS(status) == doneCode) return Ending::done;
  return WEXITSTATUS(status) == threwCode ? Ending::threw : Ending::exit;
}

/// Reads until the other end is closed, or nothing comes for too long; false for the latter.
bool listen(int pipe, const ForkPatience& patience, std::string& said) {
  using Clock = std::chrono::steady_clock;
  constexpr double millisecondsPerSecond = 1e3;
  std::array<char, 1024> part{};
  auto end = Clock::now() + std::chrono::duration<double>(patience.first);
  for (;;) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd look{pipe, POLLIN, 0};
    const int found = ::poll(&look, 1, static_cast<int>(left * millisecondsPerSecond) + 1);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) continue;
    const ssize_t size = ::read(pipe, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    said.append(part.data(), static_cast<std::size_t>(size));
    end = Clock::now() + std::chrono::duration<double>(patience.next);
  }
}

}  // namespace

ForkedAnswer inFork(const std::function<void(const SayInFork& say)>& what, const ForkPatience& patience) {
  ForkedAnswer answer;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return answer;
  PythonsFork python;
  const pid_t child = ::fork();
  python.forked(child == 0);
  if (child == 0) {
    ::close(ends[0]);
    work(what, ends[1]);
  }
  ::close(ends[1]);
  if (child > 0) {
    const bool isLate = !listen(ends[0], patience, answer.said);
    if (isLate) ::kill(child, SIGKILL);
    ::kill(-child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    answer.ending = isLate ? ForkedAnswer::Ending::late : endingOf(status);
  }
  ::close(ends[0]);
  return answer;
}

}  // namespace wb
