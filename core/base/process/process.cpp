// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/base/process/keeper.h"
#include "core/base/process/process_start.h"
#include "core/base/process/process_start_values.h"
#include "core/base/process/programs.h"
#include "core/base/sandbox/sandbox.h"

namespace wb {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

/// How long a keeper may take to end what it has.
constexpr std::chrono::seconds keeperLimit{5};

/// Everything that the child needs between fork and exec. It is made before the fork, since the child may
/// only make system calls.
struct Launch {
  std::string program;
  std::vector<std::string> environment;
  std::vector<char*> argv, envp;
  const char* folder = nullptr;
  std::array<int, 3> standard{-1, -1, -1};
  /// The write end of the pipe that tells of a failed exec.
  int report = -1;
  pid_t parent = 0;
  /// What the child gets instead of the present state of this process.
  const StartValues* start = nullptr;
  /// The descriptors that it gets besides the standard ones.
  const std::vector<int>* kept = nullptr;
};

void closeIfOpen(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

[[noreturn]] void giveUp(int report) {
  const int code = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &code, sizeof code);
  ::_exit(127);
}

/// Whether a child may inherit that a signal is ignored. It may as nohup wants it, but not where this
/// process, or user code in it, ignores a signal for itself: SIGPIPE, and SIGCHLD, without which the child
/// could not wait for its own children. Handlers would run in shared memory.
bool mayStayIgnored(int signal, const StartValues* start) {
  if (signal == SIGPIPE || signal == SIGCHLD) return false;
  return start == nullptr || (start->ignored >> signal & 1) != 0;
}

void resetSignals(const StartValues* start) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    if (action.sa_handler == SIG_IGN && mayStayIgnored(signal, start)) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Puts back the rest of what this process was at its start.
void resetRest(const StartValues& start) {
  for (std::size_t i = 0; i < start.limits.size(); ++i)
    ::setrlimit(static_cast<__rlimit_resource_t>(i), &start.limits[i]);
  ::umask(start.mask);
  if (start.knowsProcessors) ::sched_setaffinity(0, sizeof start.processors, &start.processors);
  ::setpriority(PRIO_PROCESS, 0, start.priority);
}

[[noreturn]] void becomeChild(const Launch& launch) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127);  // the parent died before the line above
  for (int i = 0; i < 3; ++i)
    if (::dup2(launch.standard[static_cast<std::size_t>(i)], i) < 0) giveUp(launch.report);
#ifdef SYS_close_range
  ::syscall(SYS_close_range, 3U, ~0U, 4U);  // CLOSE_RANGE_CLOEXEC: nothing else of ours leaks into it
#endif
  for (const int descriptor : *launch.kept)
    if (::fcntl(descriptor, F_SETFD, 0) != 0) giveUp(launch.report);
  resetSignals(launch.start);
  if (launch.start != nullptr) resetRest(*launch.start);
  if (launch.folder != nullptr && ::chdir(launch.folder) != 0) giveUp(launch.report);
  ::execve(launch.program.c_str(), launch.argv.data(), launch.envp.data());
  giveUp(launch.report);
}

/// vfork: the worker may have gigabytes mapped when it starts a compiler, and fork copies the page tables.
__attribute__((noinline)) pid_t forkInto(const Launch& launch) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const pid_t pid = ::vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (pid == 0) becomeChild(launch);
  const int failed = errno;
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  errno = failed;
  return pid;
}

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result, now;
  const StartValues* start = startValues();
  if (start == nullptr)
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) now.emplace_back(*entry);
  for (const std::string_view text : start != nullptr ? start->environment : now) {
    bool replaced = false;
    for (const auto& change : changes)
      replaced = replaced || (text.starts_with(change.first) && text.substr(change.first.size(), 1) == "=");
    if (!replaced) result.emplace_back(text);
  }
  for (const auto& [name, value] : changes) result.push_back(name + "=" + value);
  return result;
}

/// Makes a pipe that is closed on exec and whose ends are above the standard descriptors, even where those
/// are closed.
bool makePipe(int& readEnd, int& writeEnd) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  for (int& end : ends) {
    if (end > 2) continue;
    const int moved = ::fcntl(end, F_DUPFD_CLOEXEC, 3);
    ::close(end);
    end = moved;
  }
  readEnd = ends[0];
  writeEnd = ends[1];
  return readEnd >= 0 && writeEnd >= 0;
}

Error cannotStart(const std::string& program, const std::string& why, std::string hint = {}) {
  return Error{Stage::setup, fmt::format("cannot start {}: {}", program, why), std::move(hint)};
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

/// What the child wrote before it gave up: errno, or 0 when exec closed the pipe.
int execFailure(int readEnd) {
  int code = 0;
  ssize_t got = 0;
  do got = ::read(readEnd, &code, sizeof code);
  while (got < 0 && errno == EINTR);
  return got == sizeof code ? code : 0;
}

/// User code of this process may have told the system that nobody waits for children; the system would then
/// not say how they end. Warpbench's own code never wants that.
void wantEndings() {
  struct sigaction action {};
  if (::sigaction(SIGCHLD, nullptr, &action) != 0) return;
  if (action.sa_handler != SIG_IGN && (action.sa_flags & SA_NOCLDWAIT) == 0) return;
  action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &action, nullptr);
}

/// The ending of a child for which somebody else has waited. Nobody knows it, so it does not count as a good
/// one.
constexpr Ending unknownEnding{-1, 0};

Ending endingOf(int status) {
  return WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
}

}  // namespace

std::string describe(Ending ending) {
  if (ending == unknownEnding) return "its end was taken by somebody else";
  if (ending.signal == 0) return fmt::format("exit code {}", ending.exitCode);
  const char* abbreviation = ::sigabbrev_np(ending.signal);
  const std::string name =
      abbreviation == nullptr ? fmt::format("signal {}", ending.signal) : fmt::format("SIG{}", abbreviation);
  const char* description = ::sigdescr_np(ending.signal);
  if (description == nullptr) return name;
  std::string words(description);
  if (words.size() > 1 && words[1] >= 'a' && words[0] >= 'A' && words[0] <= 'Z')
    words[0] = static_cast<char>(words[0] - 'A' + 'a');
  return fmt::format("{} ({})", words, name);
}

Result<Child> Child::start(const Command& command) {
  if (command.argv.empty()) return Error{Stage::setup, "cannot start an empty command"};
  // A path is taken as it is: why it cannot be run is best told by running it.
  const std::string& name = command.argv.front();
  const std::string program = name.find('/') != name.npos ? name : findProgram(name).string();
  if (program.empty())
    return cannotStart(command.argv.front(), "there is no such program in PATH",
                       "install it or give its path");
  Launch launch;
  std::vector<std::string> arguments = command.argv;
  if (command.keeper.empty() && !command.walls.empty())
    return cannotStart(program, "walls need a keeper that raises them");
  if (command.keeper.empty()) {
    launch.program = program;
  } else {
    launch.program = command.keeper.string();
    arguments.front() = program;
    if (command.walls.empty())
      arguments.insert(arguments.begin(), {launch.program, keepArgument});
    else
      arguments.insert(arguments.begin(), {launch.program, sandboxArgument, command.walls, "--"});
  }
  launch.environment = environmentWith(command.environment);
  for (std::string& argument : arguments) launch.argv.push_back(argument.data());
  for (std::string& entry : launch.environment) launch.envp.push_back(entry.data());
  launch.argv.push_back(nullptr);
  launch.envp.push_back(nullptr);
  if (!command.folder.empty()) launch.folder = command.folder.c_str();
  launch.parent = ::getpid();
  launch.start = startValues();
  launch.kept = &command.descriptors;
  if (launch.folder == nullptr && launch.start != nullptr && !launch.start->folder.empty())
    launch.folder = launch.start->folder.c_str();
  wantEndings();

  Child child;
  child.kept_ = !command.keeper.empty();
  int reportRead = -1;
  const bool piped = makePipe(launch.standard[0], child.input_) &&
                     makePipe(child.output_, launch.standard[1]) &&
                     makePipe(child.errors_, launch.standard[2]) && makePipe(reportRead, launch.report);
  int failed = piped ? 0 : errno;
  if (piped) {
    child.pid_ = forkInto(launch);
    if (child.pid_ < 0) failed = errno;
  }
  for (int& descriptor : launch.standard) closeIfOpen(descriptor);
  closeIfOpen(launch.report);
  if (child.pid_ > 0) {
    ::setpgid(child.pid_, child.pid_);
    failed = execFailure(reportRead);
    child.pidfd_ = static_cast<int>(::syscall(SYS_pidfd_open, child.pid_, 0));
    if (failed == 0 && child.pidfd_ < 0) failed = errno;
  }
  closeIfOpen(reportRead);
  if (failed == 0) return child;
  const bool noFolder = launch.folder != nullptr && failed == ENOENT && ::access(launch.folder, X_OK) != 0;
  return cannotStart(noFolder ? fmt::format("{} in {}", program, command.folder.string()) : program,
                     reason(failed));
}

Child::Child(Child&& other) noexcept {
  *this = std::move(other);
}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  std::swap(errors_, other.errors_);
  std::swap(pidfd_, other.pidfd_);
  std::swap(reaped_, other.reaped_);
  std::swap(kept_, other.kept_);
  std::swap(ending_, other.ending_);
  return *this;
}

Child::~Child() {
  if (pid_ > 0 && !reaped_) {
    kill(SIGKILL);
    // A keeper that does not answer is killed with all that it has; what had lost its parent stays.
    if (kept_ && !wait(keeperLimit).first) ::kill(-pid_, SIGKILL);
    wait(milliseconds{-1});
  }
  closeIfOpen(input_);
  closeIfOpen(output_);
  closeIfOpen(errors_);
  closeIfOpen(pidfd_);
}

void Child::closeInput() {
  closeIfOpen(input_);
}

void Child::kill(int signal) const {
  if (pid_ <= 0 || reaped_) return;
  if (!kept_) {
    ::kill(-pid_, signal);
    return;
  }
  ::kill(pid_, signal == SIGKILL ? SIGQUIT : signal);
  ::kill(pid_, SIGCONT);
}

void Child::killOrphans() const {
  if (kept_ && pid_ > 0 && !reaped_) ::kill(pid_, SIGUSR1);
}

std::pair<bool, Ending> Child::wait(milliseconds limit) {
  if (reaped_ || pid_ <= 0) return {true, ending_};
  if (limit.count() >= 0) {
    pollfd ended{pidfd_, POLLIN, 0};
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (true) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
      const int ready = ::poll(&ended, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
      if (ready > 0) break;
      if (ready == 0 || errno != EINTR) return {false, {}};
    }
  }
  // The child has been seen to end but is not reaped yet, so no other process can take the number of its
  // group: this is the moment to end what it left.
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  ::kill(-pid_, SIGKILL);
  int status = 0;
  pid_t reaped = 0;
  do reaped = ::waitpid(pid_, &status, 0);
  while (reaped < 0 && errno == EINTR);
  reaped_ = true;
  ending_ = reaped == pid_ ? endingOf(status) : unknownEnding;
  return {true, ending_};
}

}  // namespace wb
