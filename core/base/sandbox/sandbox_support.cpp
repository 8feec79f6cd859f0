// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/base/quantity.h"
#include "core/base/sandbox/landlock.h"
#include "core/base/sandbox/own_view.h"
#include "core/base/sandbox/sandbox.h"

namespace wb {
namespace {

// From these versions of Landlock on it guards against files being cut short, and signals to processes
// outside.
constexpr int knowsTruncation = 3, knowsSignals = 6;

std::string reason(int code) {
  return std::generic_category().message(code);
}

WallSupport lookForLandlock(int version) {
  if (version > 0) return {true, {}};
  return {false,
          fmt::format("Landlock, which guards files, is missing ({}): it needs Linux 5.13 or later, with "
                      "landlock among the kernel's lsm= modules, and a container that allows it",
                      reason(errno))};
}

WallSupport lookForSeccomp() {
  const unsigned action = SECCOMP_RET_ERRNO;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0UL, &action) == 0) return {true, {}};
  return {false, fmt::format("the filter of system calls (seccomp) is missing ({}): it needs a kernel with "
                             "CONFIG_SECCOMP_FILTER",
                             reason(errno))};
}

/// What a copy of this process says about its view before it ends.
struct Said {
  int code = 0;
  std::array<char, 64> step{};
};

WallSupport lookForNamespaces() {
  const auto missing = [](const std::string& why) {
    return WallSupport{false, "a view of its own of processes, network and mounts (namespaces) is missing (" +
                                  why + "): the system or its container does not allow it to this user"};
  };
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return missing(reason(errno));
  const OwnView view = ownView({});
  const pid_t child = forkIntoView(view);
  if (child == 0) {
    Said said;
    if (const char* step = arrangeView(view)) {
      said.code = errno;
      for (std::size_t i = 0; i + 1 < said.step.size() && step[i] != '\0'; ++i) said.step[i] = step[i];
    }
    [[maybe_unused]] const ssize_t written = ::write(ends[1], &said, sizeof said);
    ::_exit(0);
  }
  const int failed = errno;
  ::close(ends[1]);
  Said said;
  const bool heard = child > 0 && ::read(ends[0], &said, sizeof said) == sizeof said;
  ::close(ends[0]);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (child < 0) return missing(reason(failed));
  if (!heard) return missing("the first process of a view ended early");
  if (said.code != 0) return missing(fmt::format("{}: {}", said.step.data(), reason(said.code)));
  return {true, {}};
}

SandboxSupport look() {
  SandboxSupport support;
  support.landlockVersion = landlockVersion();
  support.landlock = lookForLandlock(support.landlockVersion);
  support.seccomp = lookForSeccomp();
  support.namespaces = lookForNamespaces();
  return support;
}

void addLimits(std::vector<std::string>& words, const SandboxLimits& limits) {
  const auto bytes = [&](const char* name, std::int64_t most) {
    if (most > 0) words.push_back(fmt::format("{}: {}", name, formatBytes(static_cast<double>(most))));
  };
  bytes("memory", limits.memoryBytes);
  bytes("a file", limits.fileBytes);
  bytes("the scratch folder", limits.scratchBytes);
  if (limits.openFiles > 0) words.push_back(fmt::format("open files: {}", limits.openFiles));
  if (limits.threads > 0) words.push_back(fmt::format("threads and processes: {}", limits.threads));
}

}  // namespace

const SandboxSupport& sandboxSupport() {
  static const SandboxSupport support = look();
  return support;
}

std::vector<std::string> missingWalls(const Sandbox& sandbox, const SandboxSupport& support) {
  std::vector<std::string> missing;
  const auto need = [&](const WallSupport& wall) {
    if (!wall.there) missing.push_back(wall.missing);
  };
  need(support.landlock);
  need(support.seccomp);
  if (sandbox.needsNamespaces) need(support.namespaces);
  return missing;
}

std::vector<std::string> wallWords(const Sandbox& sandbox, const SandboxSupport& support) {
  std::vector<std::string> words;
  const bool own = support.namespaces.there;
  const int version = support.landlockVersion;
  words.push_back(fmt::format("files: Landlock {}{}", version, own ? ", mounted read-only" : ""));
  if (!own && version < knowsTruncation) words.emplace_back("cutting files short: seccomp");
  words.emplace_back("system calls: seccomp");
  words.emplace_back(own ? "network: none" : "network: no sockets (seccomp)");
  words.emplace_back(own                       ? "other processes: not seen"
                     : version >= knowsSignals ? "other processes: seen, not reached"
                                               : "other processes: seen, and reached by signals");
  if (!sandbox.mayStartProcesses) words.emplace_back("new processes: none, threads only");
  addLimits(words, sandbox.limits);
  return words;
}

}  // namespace wb
