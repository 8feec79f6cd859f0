// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/guest_start.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "core/base/files/file.h"
#include "core/base/process/plain_environment.h"

namespace wb {
namespace {

/// The capabilities of this thread.
struct Rights {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  bool read() { return ::syscall(SYS_capget, &header, sets.data()) == 0; }
};
constexpr std::uint32_t toTrace = 1U << CAP_SYS_PTRACE;

/// What of this process's environment a kernel may read.
std::vector<char*> environmentOfGuests() {
  std::vector<char*> chosen;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view entry(*each);
    if (isPlainVariable(entry.substr(0, entry.find('=')))) chosen.push_back(*each);
  }
  chosen.push_back(nullptr);
  return chosen;
}

}  // namespace

void closeToOthers() {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void forgoTracing() {
  // Programs that it starts would get the right again.
  ::prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_LOWER, CAP_SYS_PTRACE, 0, 0);
  Rights rights;
  if (!rights.read()) return;
  rights.sets[0].effective &= ~toTrace;
  rights.sets[0].permitted &= ~toTrace;
  rights.sets[0].inheritable &= ~toTrace;
  ::syscall(SYS_capset, &rights.header, rights.sets.data());
}

bool mayTraceAny() {
  Rights rights;
  return rights.read() && (rights.sets[0].effective & toTrace) != 0;
}

Error guestNotStarted(const std::string& what, int code) {
  return Error{Stage::setup, fmt::format("the kernel's process was not started: {}: {}", what,
                                         std::generic_category().message(code))};
}

std::vector<std::string> ownCommandAsGuest() {
  std::vector<std::string> command;
  if (const Result<std::string> line = readFile("/proc/self/cmdline"))
    for (std::size_t at = 0; at < line->size();) {
      const std::size_t end = std::min(line->find('\0', at), line->size());
      command.push_back(line->substr(at, end - at));
      at = end + 1;
    }
  // An environment of Python is found by the name under which its interpreter was started.
  std::error_code ignored;
  if (command.empty()) command.emplace_back();
  if (command.front().find('/') == std::string::npos)
    command.front() = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  command.emplace_back(guestArgument);
  return command;
}

Result<ParentOfGuests> startParentOfGuests(std::vector<std::string> command) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return guestNotStarted("socketpair", errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  // To itself a descriptor is not copied, and would be closed on exec.
  const int spare = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_adddup2(&actions, spare, guestSocket);
  posix_spawn_file_actions_addclosefrom_np(&actions, guestSocket + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  std::vector<char*> variables = environmentOfGuests();
  ParentOfGuests started;
  const int code =
      ::posix_spawn(&started.pid, words.front(), &actions, &attributes, words.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(spare);
  ::close(ends[1]);
  started.socket = ends[0];
  if (code == 0) return started;
  ::close(ends[0]);
  return guestNotStarted(command.front(), code);
}

namespace {

/// Makes of a copy of a worker what startParentOfGuests() would have started.
void becomeParentOfGuests(int socket, pid_t judge) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != judge) ::_exit(0);
  ::setpgid(0, 0);
  for (int signal = 1; signal < NSIG; ++signal)
    if (signal != SIGPIPE && signal != SIGXFSZ) std::signal(signal, SIG_DFL);  // as Python has them
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) ::dup2(nothing, 0);
  ::dup2(socket, guestSocket);
  ::closefrom(guestSocket + 1);
  static std::vector<char*> variables;
  variables = environmentOfGuests();
  environ = variables.data();
}

}  // namespace

Result<std::optional<ParentOfGuests>> copyAsParentOfGuests() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return guestNotStarted("socketpair", errno);
  // Closed from its first moment: that is inherited.
  const int before = ::prctl(PR_GET_DUMPABLE);
  closeToOthers();
  const pid_t judge = ::getpid(), copy = ::fork();
  const int code = errno;
  if (copy != 0) ::prctl(PR_SET_DUMPABLE, before, 0, 0, 0);
  if (copy == 0) {
    becomeParentOfGuests(ends[1], judge);
    return std::optional<ParentOfGuests>();
  }
  ::close(ends[1]);
  if (copy > 0) {
    ::setpgid(copy, copy);
    return std::optional(ParentOfGuests{copy, ends[0]});
  }
  ::close(ends[0]);
  return guestNotStarted("fork", code);
}

bool awaitJudge() {
  pollfd from{guestSocket, POLLIN, 0};
  while (::poll(&from, 1, -1) < 0 && errno == EINTR) {
  }
  return (from.revents & (POLLIN | POLLHUP)) == POLLIN;
}

}  // namespace wb
