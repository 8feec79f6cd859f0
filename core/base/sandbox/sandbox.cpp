// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/sandbox.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <system_error>

#include "core/base/sandbox/call_filter.h"
#include "core/base/sandbox/landlock.h"
#include "core/base/sandbox/raise_walls.h"

namespace wb {
namespace {

// Landlock knows from this version on that a file is cut short, and from that one on what a signal is.
constexpr int knowsTruncation = 3;
constexpr rlim_t mostSignals = 128;

Error failed(const std::string& what) {
  return Error{Stage::setup, what + ": " + std::generic_category().message(errno)};
}

Result<void> lower(__rlimit_resource_t which, rlim_t most, const char* name) {
  rlimit now{};
  if (::getrlimit(which, &now) != 0) return failed(name);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  const rlimit wanted{most, most};
  if (::setrlimit(which, &wanted) != 0) return failed(name);
  return {};
}

Result<void> lowerLimits(const Sandbox& sandbox, bool ownView) {
  const SandboxLimits& limits = sandbox.limits;
  WB_DO(lower(RLIMIT_CORE, 0, "the limit of core files"));
  // Each timer that sends a signal takes one. Thousands would keep a processor busy for a process that is
  // held still.
  WB_DO(lower(RLIMIT_SIGPENDING, mostSignals, "the limit of signals that wait"));
  if (limits.fileBytes > 0)
    WB_DO(lower(RLIMIT_FSIZE, static_cast<rlim_t>(limits.fileBytes), "the limit of file sizes"));
  if (limits.openFiles > 0)
    WB_DO(lower(RLIMIT_NOFILE, static_cast<rlim_t>(limits.openFiles), "the limit of open files"));
  if (limits.cpuSeconds > 0)
    WB_DO(
        lower(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.cpuSeconds)), "the limit of processor time"));
  // Elsewhere the user's other processes would count, too.
  if (limits.threads > 0 && ownView)
    WB_DO(lower(RLIMIT_NPROC, static_cast<rlim_t>(limits.threads), "the limit of processes"));
  return {};
}

/// Gives up every capability for ever; the bounding set only where this process may, which then has none to
/// gain either.
Result<void> dropCapabilities() {
  for (unsigned long each = 0; ::prctl(PR_CAPBSET_READ, each) >= 0; ++each) ::prctl(PR_CAPBSET_DROP, each);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, 2> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return failed("the capabilities cannot be dropped");
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs cannot be set");
  return {};
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

Result<void> guardFiles(const Sandbox& sandbox, int version) {
  using Use = Landlock::Use;
  WB_TRY(Landlock rules, Landlock::make(version));
  for (const std::string& path : sandbox.readable)
    if (exists(path)) WB_DO(rules.add(path, Use::read));
  for (const std::string& path : sandbox.openable)
    if (exists(path)) WB_DO(rules.add(path, Use::open));
  for (const std::string& path : sandbox.writable) WB_DO(rules.add(path, Use::write));
  for (const char* path : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    if (exists(path)) WB_DO(rules.add(path, Use::control));
  for (const std::string& path : sandbox.devices) WB_DO(rules.add(path, Use::control));
  // CUDA's driver names its threads in their files, and fails where it cannot.
  if (!sandbox.devices.empty()) WB_DO(rules.add("/proc/self/task", Use::write));
  return rules.enter();
}

}  // namespace

Result<void> raiseWalls(const Sandbox& sandbox, bool ownView) {
  const int version = landlockVersion();
  if (version == 0) return failed("this kernel has no Landlock, which guards files");
  WB_DO(lowerLimits(sandbox, ownView));
  WB_DO(dropCapabilities());
  WB_DO(guardFiles(sandbox, version));
  return enterCallFilter({.processes = sandbox.mayStartProcesses,
                          .gpu = !sandbox.devices.empty(),
                          .metadata = ownView,
                          .truncation = ownView || version >= knowsTruncation});
}

Result<void> enterSandbox(const Sandbox& sandbox) {
  return raiseWalls(sandbox, false);
}

std::vector<std::string> systemFiles() {
  std::vector<std::string> files{"/usr", "/bin",  "/sbin", "/lib",       "/lib32",    "/lib64",
                                 "/opt", "/proc", "/sys",  "/nix/store", "/gnu/store"};
  for (const char* name :
       {"alternatives",  "clang",        "group",        "host.conf", "hosts",     "ld.so.cache",
        "ld.so.conf",    "ld.so.conf.d", "locale.alias", "localtime", "magic",     "mime.types",
        "nsswitch.conf", "nvidia",       "os-release",   "passwd",    "protocols", "python3",
        "resolv.conf",   "services",     "terminfo",     "timezone",  "vulkan"})
    files.push_back(std::string("/etc/") + name);
  return files;
}

std::vector<std::string> gpuFiles() {
  constexpr int mostCards = 32;
  std::vector<std::string> files;
  const auto add = [&](const std::string& path) {
    if (exists(path)) files.push_back(path);
  };
  for (const char* name : {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps"})
    add(std::string("/dev/") + name);
  for (int card = 0; card < mostCards; ++card) add("/dev/nvidia" + std::to_string(card));
  return files;
}

}  // namespace wb
