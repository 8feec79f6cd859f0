// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/sandbox_launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/process/keeper.h"
#include "core/base/process/process_tree.h"
#include "core/base/sandbox/own_view.h"
#include "core/base/sandbox/raise_walls.h"
#include "core/base/sandbox/run_folder.h"
#include "core/base/sandbox/watch.h"

namespace wb {
namespace {

constexpr int cannotStart = 127;
constexpr long watchPeriodNanoseconds = 50'000'000;

[[noreturn]] void giveUp(std::string_view why) {
  fmt::print(stderr, "warpbench-worker: the walls cannot be raised: {}\n", why);
  ::_exit(noWallsExit);
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

/// Closes all descriptors but the standard ones and those that are listed.
void closeOthers(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned next = 3;
  const auto closeBetween = [](unsigned first, unsigned last) {
    if (first <= last) ::syscall(SYS_close_range, first, last, 0U);
  };
  for (const int each : kept) {
    if (each < static_cast<int>(next)) continue;
    closeBetween(next, static_cast<unsigned>(each) - 1);
    next = static_cast<unsigned>(each) + 1;
  }
  closeBetween(next, ~0U);
}

/// Whoever reads the program's output must see its end when the program ends, and not only when this process
/// does.
void letGo(const std::vector<int>& descriptors) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(nothing, descriptor);
  for (const int descriptor : descriptors) ::close(descriptor);
}

/// Whoever watches must not wait behind a thousand processes that are to be ended. Only root may come first;
/// for others the system itself bounds how many there are.
void comeFirst() {
  const sched_param lowest{1};
  ::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
}

/// Makes programs keep what is theirs alone in a folder.
void setHome(const std::string& folder) {
  // NOLINTBEGIN(concurrency-mt-unsafe): the launcher has one thread
  for (const char* name : {"HOME", "TMPDIR", "TEMP", "TMP"}) ::setenv(name, folder.c_str(), 1);
  for (const auto& [name, below] : {std::pair{"XDG_CACHE_HOME", "/cache"},
                                    {"XDG_CONFIG_HOME", "/config"},
                                    {"XDG_DATA_HOME", "/data"},
                                    {"TRITON_CACHE_DIR", "/triton"},
                                    {"TORCHINDUCTOR_CACHE_DIR", "/inductor"},
                                    {"CUDA_CACHE_PATH", "/cuda"}})
    ::setenv(name, (folder + below).c_str(), 1);
  // NOLINTEND(concurrency-mt-unsafe)
}

/// What all processes of a launcher know.
struct Launch {
  Sandbox sandbox;
  /// What is done inside; it does not return.
  const std::function<void()>* program = nullptr;
  RunFolder scratch;
  /// The folder that the program starts in.
  std::string folder;
  /// The signals as this process found them, and those that it waits for.
  sigset_t before{}, awaited{};
  /// The launcher holds the write end; others see by it that the launcher lives.
  std::array<int, 2> life{-1, -1};
  /// The first process of a view tells of itself here: a failed step, or how the program ended.
  std::array<int, 2> tells{-1, -1};
};

/// What the first process of a view says, first when its view is in order and again at the end.
struct Told {
  enum class What { arranged, notArranged, ended } what = What::arranged;
  /// errno, or what waitpid() gave of the program.
  int number = 0;
  std::array<char, 128> step{};
};

void tell(const Launch& launch, Told told, const char* step = "") {
  for (std::size_t i = 0; i + 1 < told.step.size() && step[i] != '\0'; ++i) told.step[i] = step[i];
  [[maybe_unused]] const ssize_t written = ::write(launch.tells[1], &told, sizeof told);
}

/// Nullopt when it died without a word.
std::optional<Told> hear(const Launch& launch) {
  Told told;
  ssize_t got = 0;
  do got = ::read(launch.tells[0], &told, sizeof told);
  while (got < 0 && errno == EINTR);
  if (got != sizeof told) return std::nullopt;
  return told;
}

bool launcherLives(const Launch& launch) {
  pollfd end{launch.life[0], POLLIN, 0};
  return ::poll(&end, 1, 0) == 0;
}

[[noreturn]] void become(const Launch& launch, bool ownView) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::close(launch.life[1]);
  if (!launcherLives(launch)) ::_exit(cannotStart);
  ::sigprocmask(SIG_SETMASK, &launch.before, nullptr);
  if (!launch.folder.empty() && ::chdir(launch.folder.c_str()) != 0)
    giveUp(fmt::format("{}: {}", launch.folder, reason(errno)));
  if (const auto raised = raiseWalls(launch.sandbox, ownView); !raised) giveUp(raised.error().text);
  // A program that is not another file keeps what is open, and none of this is its business.
  closeOthers(launch.sandbox.descriptors);
  (*launch.program)();
  ::_exit(cannotStart);
}

/// The first process of a view: what loses its parent becomes its child, and all end with it.
[[noreturn]] void beFirst(const Launch& launch, const OwnView& view) {
  ::close(launch.life[1]);
  if (const char* step = arrangeView(view)) {
    tell(launch, {Told::What::notArranged, errno, {}}, step);
    ::_exit(noWallsExit);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  tell(launch, {});
  const pid_t program = ::fork();
  if (program == 0) become(launch, true);
  if (program < 0) ::_exit(cannotStart);
  letGo(launch.sandbox.descriptors);
  while (launcherLives(launch)) {
    int status = 0;
    while (const pid_t ended = ::waitpid(-1, &status, WNOHANG)) {
      if (ended == program) {
        tell(launch, {Told::What::ended, status, {}});
        ::_exit(0);
      }
      if (ended < 0 && errno != EINTR) ::_exit(cannotStart);
    }
    if (::sigwaitinfo(&launch.awaited, nullptr) == SIGUSR1) killChildrenBut(program);
  }
  ::_exit(cannotStart);
}

/// The launcher at work, which keeps the program and watches it.
class WallKeeper {
 public:
  explicit WallKeeper(Launch launch) : launch_(std::move(launch)) {}

  [[noreturn]] void run() {
    if (!startInView()) {
      child_ = ::fork();
      if (child_ == 0) become(launch_, false);
      if (child_ < 0) giveUp("no process for the program: " + reason(errno));
    }
    ::close(launch_.life[0]);
    const int errors = ::fcntl(2, F_DUPFD_CLOEXEC, 3);
    letGo(launch_.sandbox.descriptors);
    comeFirst();
    const int status = waitForTheEnd();
    if (!inView_) {
      ::kill(-child_, SIGKILL);
      killChildrenBut(0);
    }
    launch_.scratch.remove();
    if (!over_) endAs(status);
    ::dup2(errors, 2);
    fmt::print(stderr,
               "warpbench-worker: all inside the walls was ended, which took more than its limit of {}\n",
               *over_);
    ::_exit(limitExit);
  }

 private:
  /// False when the program is to be started without a view of its own.
  bool startInView() {
    const OwnView view = ownView(launch_.sandbox.writable, launch_.scratch.path());
    child_ = forkIntoView(view);
    if (child_ == 0) beFirst(launch_, view);
    std::string why = child_ < 0 ? reason(errno) : "";
    ::close(launch_.tells[1]);
    if (child_ > 0) {
      const auto told = hear(launch_);
      inView_ = told && told->what == Told::What::arranged;
      if (inView_) return true;
      why = told ? fmt::format("{}: {}", told->step.data(), reason(told->number)) : "its first process died";
      while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (launch_.sandbox.needsNamespaces)
      giveUp(fmt::format("no view of its own of processes, network and mounts ({})", why));
    return false;
  }

  /// Gives what waitpid() would say of the program.
  int waitForTheEnd() {
    Watch watch(launch_.sandbox, inView_ ? child_ : ::getpid(), launch_.scratch.path());
    const timespec period{0, watchPeriodNanoseconds};
    while (true) {
      int status = 0;
      while (const pid_t ended = ::waitpid(-1, &status, WNOHANG)) {
        if (ended == child_) return inView_ ? programsEnd(status) : status;
        if (ended < 0 && errno != EINTR) ::_exit(cannotStart);
      }
      const int signal = watch.isNeeded() ? ::sigtimedwait(&launch_.awaited, nullptr, &period)
                                          : ::sigwaitinfo(&launch_.awaited, nullptr);
      if (signal == SIGTERM) terminate();
      if (signal == SIGQUIT) killAll();
      if (signal == SIGUSR1) killOrphans();
      if (!over_) over_ = watch.over();
      if (over_) killAll();
    }
  }

  /// The first process of the view was killed, and the program with it, unless it said how the program ended.
  int programsEnd(int status) {
    const auto told = hear(launch_);
    return told && told->what == Told::What::ended ? told->number : status;
  }

  void terminate() const {
    if (const pid_t program = inView_ ? programInside(::getpid()) : child_; program > 0)
      ::kill(-program, SIGTERM);
  }

  void killAll() const {
    if (!inView_) ::kill(-child_, SIGKILL);
    ::kill(child_, SIGKILL);
  }

  void killOrphans() const {
    if (inView_)
      ::kill(child_, SIGUSR1);
    else
      killChildrenBut(child_);
  }

  Launch launch_;
  /// The first process of a view, or the program itself.
  pid_t child_ = -1;
  bool inView_ = false;
  std::optional<std::string> over_;
};

/// The numbers of a process in all the views that know it, from this one inwards.
std::vector<pid_t> numbersOf(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  constexpr std::string_view key = "NSpid:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    std::istringstream words(line.substr(key.size()));
    return {std::istream_iterator<pid_t>(words), std::istream_iterator<pid_t>()};
  }
  return {};
}

}  // namespace

void launchInSandbox(Sandbox sandbox, const std::function<void()>& program) {
  closeOthers(sandbox.descriptors);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  Launch launch;
  launch.program = &program;
  sigemptyset(&launch.awaited);
  for (const int signal : {SIGCHLD, SIGTERM, SIGQUIT, SIGUSR1}) sigaddset(&launch.awaited, signal);
  ::sigprocmask(SIG_BLOCK, &launch.awaited, &launch.before);
  std::signal(SIGCHLD, SIG_DFL);
  if (::pipe2(launch.life.data(), O_CLOEXEC) != 0 || ::pipe2(launch.tells.data(), O_CLOEXEC) != 0)
    giveUp("no pipe: " + reason(errno));
  std::error_code ignored;
  launch.folder = std::filesystem::current_path(ignored).string();
  if (!sandbox.scratch.empty()) {
    auto scratch = RunFolder::make(sandbox.scratch);
    if (!scratch) giveUp(scratch.error().text);
    launch.scratch = *std::move(scratch);
    launch.folder = launch.scratch.path();
    sandbox.writable.push_back(launch.folder);
    setHome(launch.folder);
  }
  launch.sandbox = std::move(sandbox);
  WallKeeper(std::move(launch)).run();
}

void launchInSandbox(Sandbox sandbox, char* const* argv) {
  launchInSandbox(std::move(sandbox), [argv] {
    ::execvp(argv[0], argv);
    fmt::print(stderr, "cannot start {}: {}\n", argv[0], reason(errno));
  });
}

pid_t programInside(pid_t launcher) {
  constexpr pid_t afterTheFirst = 2;
  const std::size_t depth = numbersOf(launcher).size();
  for (const pid_t child : listedChildrenOf(launcher)) {
    if (numbersOf(child).size() <= depth) return child;
    for (const pid_t inner : listedChildrenOf(child))
      if (const auto numbers = numbersOf(inner); !numbers.empty() && numbers.back() == afterTheFirst)
        return inner;
  }
  return 0;
}

}  // namespace wb
