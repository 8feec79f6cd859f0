// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/keeper.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/process/process_tree.h"
#include "core/base/process/step_keeper.h"

namespace wb {
namespace {

constexpr int cannotStart = 127;
// Processes that are born faster than they are killed are left after this time.
constexpr std::chrono::seconds longestSweep{2};

[[noreturn]] void become(char* const* argv, pid_t keeper, const sigset_t& mask) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(cannotStart);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::execvp(argv[0], argv);
  std::fprintf(stderr, "cannot start %s: %s\n", argv[0],
               std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  ::_exit(cannotStart);
}

/// Waits for the program's end, however long that takes.
int waitFor(pid_t program, const sigset_t& signals) {
  while (true) {
    int status = 0;
    while (const pid_t ended = ::waitpid(-1, &status, WNOHANG)) {
      if (ended == program) return status;
      if (ended < 0 && errno != EINTR) ::_exit(cannotStart);
    }
    switch (::sigwaitinfo(&signals, nullptr)) {
      case SIGTERM:
        ::kill(-program, SIGTERM);
        break;
      case SIGQUIT:
      case SIGUSR2:
        ::kill(-program, SIGKILL);
        ::kill(program, SIGKILL);
        schedulePlainly(program);
        break;
      case SIGUSR1:
        killChildrenBut(program);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void killChildrenBut(pid_t spared) {
  const auto before = std::chrono::steady_clock::now() + longestSweep;
  while (std::chrono::steady_clock::now() < before) {
    bool any = false;
    for (const pid_t child : childrenOf(::getpid())) {
      if (child == spared) continue;
      any = true;
      ::kill(child, SIGKILL);
      schedulePlainly(child);
      while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (!any) return;
  }
}

void schedulePlainly(pid_t process) {
  std::error_code failed;
  const std::filesystem::path tasks = fmt::format("/proc/{}/task", process);
  for (auto each = std::filesystem::directory_iterator(tasks, failed);
       !failed && each != std::filesystem::directory_iterator(); each.increment(failed)) {
    const sched_param plain{};
    ::sched_setscheduler(std::atoi(each->path().filename().c_str()), SCHED_OTHER, &plain);
  }
}

void endAs(int status) {
  if (!WIFSIGNALED(status)) ::_exit(WEXITSTATUS(status));
  // The program has written its own core file.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  std::signal(WTERMSIG(status), SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::raise(WTERMSIG(status));
  ::_exit(128 + WTERMSIG(status));
}

void keep(char* const* argv) {
  if (isStep(argv)) keepStep(argv);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2}) sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  std::signal(SIGCHLD, SIG_DFL);
  const pid_t self = ::getpid(), program = ::fork();
  if (program == 0) become(argv, self, before);
  if (program < 0) ::_exit(cannotStart);
  ::setpgid(program, program);
  // Whoever reads the program's output must see the output's end when the program ends, and not only when
  // this process ends.
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(nothing, descriptor);
  const int status = waitFor(program, signals);
  ::kill(-program, SIGKILL);
  killChildrenBut(0);
  endAs(status);
}

}  // namespace wb
