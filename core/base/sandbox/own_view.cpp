// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/own_view.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

namespace wb {
namespace {

constexpr unsigned everything = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC;
constexpr long mountSetattr = 442;
constexpr unsigned withAllBelow = 0x8000;  // AT_RECURSIVE

constexpr const char* sharedMemoryFolder = "/dev/shm";

struct MountAttributes {
  std::uint64_t set = 0, clear = 0, propagation = 0, users = 0;
};
constexpr std::uint64_t readOnly = 1;

/// Whether this process may make namespaces without users of its own.
bool isMaster() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  return ::syscall(SYS_capget, &header, data.data()) == 0 && (data[0].effective >> CAP_SYS_ADMIN & 1) != 0;
}

bool writeText(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int code = errno;
  ::close(file);
  errno = code;
  return written;
}

bool change(const char* path, const MountAttributes& attributes) {
  return ::syscall(mountSetattr, AT_FDCWD, path, withAllBelow, &attributes, sizeof attributes) == 0;
}

}  // namespace

OwnView ownView(std::vector<std::string> writable, std::string sharedMemory) {
  OwnView view{everything, {}, {}, std::move(writable), std::move(sharedMemory)};
  if (isMaster()) return view;
  view.flags |= CLONE_NEWUSER;
  const std::string user = std::to_string(::geteuid()), group = std::to_string(::getegid());
  view.users = user + " " + user + " 1";
  view.groups = group + " " + group + " 1";
  return view;
}

pid_t forkIntoView(const OwnView& view) {
  return static_cast<pid_t>(
      ::syscall(SYS_clone, static_cast<unsigned long>(view.flags | SIGCHLD), nullptr, nullptr, nullptr, 0UL));
}

const char* arrangeView(const OwnView& view) {
  if (!view.users.empty()) {
    // The order is the kernel's: groups may be mapped once they cannot be given up.
    if (!writeText("/proc/self/setgroups", "deny") || !writeText("/proc/self/gid_map", view.groups) ||
        !writeText("/proc/self/uid_map", view.users))
      return "users of its own";
  }
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return "mounts of its own";
  for (const std::string& path : view.writable)
    if (::mount(path.c_str(), path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) return path.c_str();
  // A system without such a folder has none inside, either.
  const bool sharesMemory =
      !view.sharedMemory.empty() &&
      ::mount(view.sharedMemory.c_str(), sharedMemoryFolder, nullptr, MS_BIND, nullptr) == 0;
  if (!change("/", {.set = readOnly})) return "read-only mounts";
  // What was mounted read-only before stays so: the system refuses to change it.
  for (const std::string& path : view.writable) change(path.c_str(), {.clear = readOnly});
  if (sharesMemory) change(sharedMemoryFolder, {.clear = readOnly});
  if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return "a /proc of its own";
  return nullptr;
}

}  // namespace wb
