// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/process_start.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "core/base/process/process_start_values.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

/// This is a property of the process, as its environment is: there is one, and children are started from
/// anywhere.
std::atomic<const StartValues*> remembered{nullptr};

std::vector<std::string> environmentNow() {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

mode_t maskNow() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

int priorityNow() {
  errno = 0;
  return ::getpriority(PRIO_PROCESS, 0);
}

StartValues valuesNow() {
  StartValues now;
  std::error_code failed;
  now.environment = environmentNow();
  now.folder = fs::current_path(failed).string();
  for (std::size_t i = 0; i < now.limits.size(); ++i)
    ::getrlimit(static_cast<__rlimit_resource_t>(i), &now.limits[i]);
  now.mask = maskNow();
  CPU_ZERO(&now.processors);
  now.knowsProcessors = ::sched_getaffinity(0, sizeof now.processors, &now.processors) == 0;
  now.priority = priorityNow();
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      now.ignored |= std::uint64_t{1} << signal;
  }
  return now;
}

/// The variables that were there at the start and are gone or changed now, as they were.
std::vector<std::string> changedEntries(const std::vector<std::string>& before,
                                        const std::vector<std::string>& now) {
  std::vector<std::string> entries;
  for (const std::string& entry : before)
    if (std::find(now.begin(), now.end(), entry) == now.end()) entries.push_back(entry);
  return entries;
}

void putEnvironmentBack(const StartValues& start, PutBack& back) {
  const std::vector<std::string> now = environmentNow();
  if (now == start.environment) return;
  // New variables stay: they do no harm, and a library that set one is not loaded a second time.
  for (const std::string& entry : changedEntries(start.environment, now)) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = entry.substr(0, equals);
    ::setenv(name.c_str(), entry.c_str() + equals + 1, 1);  // NOLINT(concurrency-mt-unsafe)
    back.changed.push_back("the environment variable " + name);
  }
}

constexpr const char* nameOfLimit(std::size_t limit) {
  switch (limit) {
    case RLIMIT_AS:
      return "the limit of memory";
    case RLIMIT_CORE:
      return "the limit of core files";
    case RLIMIT_CPU:
      return "the limit of processor time";
    case RLIMIT_DATA:
      return "the limit of data";
    case RLIMIT_FSIZE:
      return "the limit of file sizes";
    case RLIMIT_NOFILE:
      return "the limit of open files";
    case RLIMIT_NPROC:
      return "the limit of processes";
    case RLIMIT_STACK:
      return "the limit of the stack";
    default:
      return "a limit of resources";
  }
}

void putLimitsBack(const StartValues& start, PutBack& back) {
  for (std::size_t i = 0; i < start.limits.size(); ++i) {
    const auto which = static_cast<__rlimit_resource_t>(i);
    const rlimit& wanted = start.limits[i];
    rlimit now{};
    if (::getrlimit(which, &now) != 0) continue;
    if (now.rlim_cur == wanted.rlim_cur && now.rlim_max == wanted.rlim_max) continue;
    (::setrlimit(which, &wanted) == 0 ? back.changed : back.stuck).emplace_back(nameOfLimit(i));
  }
}

}  // namespace

const StartValues* startValues() {
  return remembered.load();
}

void rememberStart() {
  static const StartValues values = valuesNow();
  remembered = &values;
}

std::string startVariable(const std::string& name) {
  const StartValues* start = startValues();
  if (start == nullptr) {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? std::string() : value;
  }
  for (const std::string& entry : start->environment)
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
      return entry.substr(name.size() + 1);
  return {};
}

fs::path startFolder() {
  const StartValues* start = startValues();
  std::error_code failed;
  return start == nullptr ? fs::current_path(failed) : fs::path(start->folder);
}

PutBack putStartBack() {
  PutBack back;
  const StartValues* start = startValues();
  if (start == nullptr) return back;
  putEnvironmentBack(*start, back);
  putLimitsBack(*start, back);
  std::error_code failed;
  if (!start->folder.empty() && fs::current_path(failed).string() != start->folder)
    (::chdir(start->folder.c_str()) == 0 ? back.changed : back.stuck).emplace_back("the working folder");
  if (::umask(start->mask) != start->mask) back.changed.emplace_back("the mask of file modes");
  cpu_set_t now;
  CPU_ZERO(&now);
  if (start->knowsProcessors && ::sched_getaffinity(0, sizeof now, &now) == 0 &&
      !CPU_EQUAL(&now, &start->processors))
    (::sched_setaffinity(0, sizeof now, &start->processors) == 0 ? back.changed : back.stuck)
        .emplace_back("the processors it runs on");
  if (priorityNow() != start->priority)
    (::setpriority(PRIO_PROCESS, 0, start->priority) == 0 ? back.changed : back.stuck)
        .emplace_back("its priority");
  return back;
}

}  // namespace wb
