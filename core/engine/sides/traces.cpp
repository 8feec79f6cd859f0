// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/traces.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/process/process_tree.h"
#include "core/base/worked_seconds.h"
#include "core/engine/sides/started_threads.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

struct Task {
  std::string name;
  char state = '?';
};

/// Reads the line "1234 (some name) S …".
Task readTask(const fs::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 2 >= text.size()) return {};
  return {text.substr(open + 1, close - open - 1), text[close + 2]};
}

/// Of a process that never started another one this is known at once, however many threads it has.
bool hasChildren() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

/// The process that inherits what the children of this one leave behind, which is its parent; 0 where there
/// is none.
pid_t keeperOfThis() {
  const pid_t keeper = ::getppid();
  // The name is as much as the system keeps of the program's.
  return readTask(fmt::format("/proc/{}", keeper)).name == "warpbench-worke" ? keeper : 0;
}

/// What the keeper of this process has inherited from processes that have ended.
std::set<int> daemonsNow() {
  const pid_t keeper = keeperOfThis();
  if (keeper == 0) return {};
  std::set<int> all;
  for (const pid_t each : listedChildrenOf(keeper))
    if (each != ::getpid()) all.insert(each);
  return all;
}

/// What those have worked that somebody has waited for: this process for its own, the keeper for others.
double workedByEnded() {
  rusage own{};
  ::getrusage(RUSAGE_CHILDREN, &own);
  double worked = workedSeconds(own);
  const pid_t keeper = keeperOfThis();
  if (keeper == 0) return worked;
  std::ifstream file(fmt::format("/proc/{}/stat", keeper));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // What its children have worked, in ticks, are the numbers 16 and 17 of the line, and its name is the
  // second.
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  const std::vector<std::string> all{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t user = 13, system = 14;
  if (all.size() > system)
    worked += (std::atof(all[user].c_str()) + std::atof(all[system].c_str())) /
              static_cast<double>(::sysconf(_SC_CLK_TCK));
  return worked;
}

std::set<int> childrenNow() {
  if (!hasChildren()) return {};
  std::set<int> all;
  for (const int thread : threadsNow()) {
    std::ifstream file(fmt::format("/proc/self/task/{}/children", thread));
    all.insert(std::istream_iterator<int>(file), {});
  }
  return all;
}

constexpr bool isAwake(char state) {
  return state == 'R' || state == 'D';
}

std::vector<std::string> namesOf(const std::set<int>& now, const std::set<int>& before,
                                 const std::string& folder, bool alsoAsleep) {
  std::vector<std::string> names;
  for (const int id : now) {
    if (before.contains(id)) continue;
    const Task task = readTask(fmt::format("{}/{}", folder, id));
    if (task.name.empty() || task.state == 'Z' || task.state == 'X' || isOfRuntime(task.name)) continue;
    if (alsoAsleep || isAwake(task.state)) names.push_back(task.name);
  }
  return names;
}

std::string words(const std::vector<std::string>& names, const char* one, const char* several) {
  std::vector<std::string> some(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(names.size(), 3)));
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return fmt::format("{} {} ({})", names.size(), names.size() == 1 ? one : several, fmt::join(some, ", "));
}

/// The C library adds this flag (SA_RESTORER, which it does not show) whenever a handling is set. A signal
/// that was never touched does not have it, and one that was changed and put back does.
constexpr int flagOfTheLibrary = 0x04000000;

bool sameHandling(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_handler == b.sa_handler && (a.sa_flags & ~flagOfTheLibrary) == (b.sa_flags & ~flagOfTheLibrary);
}

/// Whether a signal comes to the same. How the system calls a handler tells nothing where there is none:
/// NVRTC, with which torch compiles some of its own operators, leaves such flags behind. Whether children are
/// waited for is told by flags of theirs.
bool comesToTheSame(int signal, const struct sigaction& a, const struct sigaction& b) {
  const bool isNoHandler = a.sa_handler == SIG_DFL || a.sa_handler == SIG_IGN;
  return a.sa_handler == b.sa_handler && isNoHandler && signal != SIGCHLD;
}

/// Whether a handler belongs to Triton's compiler, which sets some for as long as the process lives when it
/// compiles its first kernel, or to Python's faulthandler. They are put back like any other, but no kernel is
/// blamed for them.
bool isKnown(const struct sigaction& handling) {
  Dl_info info{};
  if (handling.sa_handler == SIG_DFL || handling.sa_handler == SIG_IGN) return false;
  if (::dladdr(reinterpret_cast<const void*>(handling.sa_handler), &info) == 0 || info.dli_fname == nullptr)
    return false;
  const std::string library = fs::path(info.dli_fname).filename().native();
  return library.starts_with("libtriton") || library.starts_with("python") ||
         library.starts_with("libpython");
}

/// How many timers timer_create() has made; 0 where the system does not tell.
int timersNow() {
  std::ifstream file("/proc/self/timers");
  int count = 0;
  for (std::string line; std::getline(file, line);) count += line.starts_with("ID:") ? 1 : 0;
  return count;
}

/// How many descriptors there are that can send signals again and again, as a timer does: those of which
/// somebody wants to hear by a signal, and counters of the system's.
int signallersNow() {
  std::error_code failed;
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", failed)) {
    const int flags = ::fcntl(std::atoi(entry.path().filename().c_str()), F_GETFL);
    const bool isAsync = flags >= 0 && (flags & O_ASYNC) != 0;
    count +=
        isAsync || fs::read_symlink(entry.path(), failed).native().find("perf_event") != std::string::npos;
  }
  // A counter lives on where its descriptor is closed and its memory is mapped.
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("[perf_event]") != std::string::npos) ++count;
  return count;
}

bool hasUserFaultDescriptor() {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", failed))
    if (fs::read_symlink(entry.path(), failed).native().find("userfaultfd") != std::string::npos) return true;
  return false;
}

std::string nameOfSignal(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

}  // namespace

Traces::Traces()
    : children_(childrenNow()), daemons_(daemonsNow()), timers_(timersNow()), signallers_(signallersNow()) {
  for (std::size_t signal = 1; signal < signals_.size(); ++signal)
    ::sigaction(static_cast<int>(signal), nullptr, &signals_[signal]);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked_);
  const char* locale = std::setlocale(LC_ALL, nullptr);  // NOLINT(concurrency-mt-unsafe)
  if (locale != nullptr) locale_ = locale;
}

bool Traces::remain(const std::set<int>& started) {
  return !namesOf(started, {}, "/proc/self/task", true).empty();
}

std::string Traces::found(const std::set<int>& started, AlsoAsleep alsoAsleep) const {
  std::vector<std::string> all;
  const std::vector<std::string> threads = namesOf(started, {}, "/proc/self/task", alsoAsleep.threads);
  if (!threads.empty()) all.push_back(words(threads, "thread", "threads"));
  const std::vector<std::string> children = namesOf(childrenNow(), children_, "/proc", alsoAsleep.children);
  if (!children.empty()) all.push_back(words(children, "child process", "child processes"));
  // One that sleeps may be a compiler's, which waits for the next one.
  const std::vector<std::string> daemons = namesOf(daemonsNow(), daemons_, "/proc", false);
  if (!daemons.empty()) all.push_back(words(daemons, "daemon", "daemons"));
  return fmt::format("{}", fmt::join(all, " and "));
}

std::string Traces::running(const std::set<int>& started) const {
  constexpr int looks = 4;
  constexpr std::chrono::milliseconds between{1};
  std::string names = found(started, {false, false});
  for (int look = 1; look < looks && !names.empty(); ++look) {
    std::this_thread::sleep_for(between);
    names = found(started, {false, false});
  }
  return names;
}

Traces::Worked Traces::worked() const {
  Worked worked{{0, workedByEnded()}};
  std::vector<int> next;
  const auto add = [&](const auto& processes) {
    for (const int each : processes)
      if (!children_.contains(each) && !daemons_.contains(each) &&
          worked.emplace(each, workedSeconds(each)).second)
        next.push_back(each);
  };
  add(childrenNow());
  add(daemonsNow());
  while (!next.empty()) {
    const int parent = next.back();
    next.pop_back();
    add(listedChildrenOf(parent));
  }
  return worked;
}

std::string Traces::timers() const {
  const int more = timersNow() - timers_, signallers = signallersNow() - signallers_;
  if (more <= 0 && signallers > 0)
    return fmt::format("{} {} that can send signals", signallers,
                       signallers == 1 ? "descriptor" : "descriptors");
  return more <= 0 ? std::string() : fmt::format("{} {}", more, more == 1 ? "timer" : "timers");
}

std::string Traces::faultHandler() const {
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 &&
        !sameHandling(now, signals_[static_cast<std::size_t>(signal)]) && !isKnown(now))
      return "the handling of " + nameOfSignal(signal);
  }
  return hasUserFaultDescriptor() ? "a userfaultfd" : "";
}

PutBack Traces::putBack(const std::set<int>& started) const {
  PutBack back = putStartBack();
  for (std::size_t i = 1; i < signals_.size(); ++i) {
    const int signal = static_cast<int>(i);
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || sameHandling(now, signals_[i])) continue;
    if (::sigaction(signal, &signals_[i], nullptr) == 0 && !comesToTheSame(signal, now, signals_[i]) &&
        !isKnown(now))
      back.changed.push_back("the handling of " + nameOfSignal(signal));
  }
  sigset_t blocked;
  sigemptyset(&blocked);
  ::pthread_sigmask(SIG_SETMASK, &blocked_, &blocked);
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&blocked, signal) != sigismember(&blocked_, signal)) {
      back.changed.emplace_back("the mask of signals");
      break;
    }
  const char* locale = std::setlocale(LC_ALL, nullptr);  // NOLINT(concurrency-mt-unsafe)
  if (locale != nullptr && locale_ != locale) {
    std::setlocale(LC_ALL, locale_.c_str());  // NOLINT(concurrency-mt-unsafe)
    back.changed.emplace_back("the locale");
  }
  // Threads that torch no longer needs end by themselves, shortly after it was told so.
  for (int look = 0; look < 20 && !found(started, {}).empty(); ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (std::string left = found(started, {false, true}); !left.empty()) back.stuck.push_back(std::move(left));
  if (std::string running = timers(); !running.empty()) back.stuck.push_back(std::move(running));
  return back;
}

}  // namespace wb
