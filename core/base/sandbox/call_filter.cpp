// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/call_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <system_error>

namespace wb {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the numbers of system calls are known for x86-64 and arm64"
#endif

// Calls that are newer than the C library's header; their numbers are the same on all machines.
constexpr std::uint32_t mountSetattr = 442, quotactlFd = 443, memfdSecret = 447, processMrelease = 448,
                        fchmodat2 = 452;
/// The newest call that was looked at (mseal of Linux 6.10).
constexpr std::uint32_t newestKnown = 462;
/// Calls of x86-64's second interface, x32, have this bit.
constexpr std::uint32_t otherInterface = 0x40000000;

constexpr std::initializer_list<std::uint32_t> refused{
    // other processes
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_kcmp,
    SYS_pidfd_getfd,
    processMrelease,
    // namespaces and mounts
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    mountSetattr,
    // parts of the kernel that no kernel of ours needs, and that have had many faults
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_fanotify_mark,
    SYS_lookup_dcookie,
    // the machine
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_syslog,
    SYS_acct,
    SYS_quotactl,
    quotactlFd,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
#ifdef __x86_64__
    SYS_kexec_file_load,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_ustat,
    SYS_sysfs,
    SYS__sysctl,
    SYS_nfsservctl,
#endif
    // what outlives a process or is shared with others of the same user
    SYS_msgget,
    SYS_semget,
    SYS_shmget,
    SYS_mq_open,
};

/// These are refused as if the kernel did not have them, so that programs take their other way.
constexpr std::initializer_list<std::uint32_t> unknown{SYS_io_uring_setup, SYS_io_uring_enter,
                                                       SYS_io_uring_register, memfdSecret, SYS_clone3};

/// These seem to succeed and do nothing, since linkers and copying programs give up where they fail.
constexpr std::initializer_list<std::uint32_t> modesAndTimes{
    SYS_fchmod, SYS_fchmodat, fchmodat2,  SYS_utimensat,
#ifdef __x86_64__
    SYS_chmod,  SYS_utime,    SYS_utimes, SYS_futimesat,
#endif
};
constexpr std::initializer_list<std::uint32_t> ownersAndAttributes{
    SYS_fchown,    SYS_fchownat,    SYS_setxattr,     SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
#ifdef __x86_64__
    SYS_chown,     SYS_lchown,
#endif
};

constexpr int seemsToSucceed = 0;
/// PR_SET_SYSCALL_USER_DISPATCH, which older headers do not know.
constexpr std::uint32_t setCallDispatch = 59;

constexpr std::uint32_t newNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// Writes a filter instruction by instruction. A call that no rule refuses is allowed.
class Assembler {
 public:
  /// Takes the low half of an argument: all that are looked at are 32 bits wide, or have nothing above.
  void takeArgument(unsigned number) {
    const std::size_t at = offsetof(seccomp_data, args) + number * sizeof(std::uint64_t);
    take(static_cast<std::uint32_t>(at));
  }
  void takeNumber() { take(offsetof(seccomp_data, nr)); }
  void takeArchitecture() { take(offsetof(seccomp_data, arch)); }
  void keepBits(std::uint32_t mask) { add(BPF_ALU | BPF_AND | BPF_K, mask); }

  void allow() { add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  void refuse(int error) {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA));
  }
  void refuseIf(std::uint32_t value, int error) { when(BPF_JEQ, value, true, error); }
  void refuseUnless(std::uint32_t value, int error) { when(BPF_JEQ, value, false, error); }
  void refuseFrom(std::uint32_t value, int error) { when(BPF_JGE, value, true, error); }
  void refuseWithAny(std::uint32_t bits, int error) { when(BPF_JSET, bits, true, error); }
  void refuseWithout(std::uint32_t bits, int error) { when(BPF_JSET, bits, false, error); }

  /// Rules for one value alone.
  template <class Rules>
  void given(std::uint32_t value, const Rules& rules) {
    const std::size_t jump = program_.size();
    add(BPF_JMP | BPF_JEQ | BPF_K, value);
    rules();
    program_[jump].jf = static_cast<std::uint8_t>(program_.size() - jump - 1);
  }
  /// The rules of one call, which end in allowing it.
  template <class Rules>
  void call(std::uint32_t number, const Rules& rules) {
    given(number, [&] {
      rules();
      allow();
    });
  }

  [[nodiscard]] std::vector<sock_filter> program() const { return program_; }

 private:
  void add(unsigned code, std::uint32_t value) {
    program_.push_back({static_cast<std::uint16_t>(code), 0, 0, value});
  }
  void take(std::uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void when(unsigned test, std::uint32_t value, bool holds, int error) {
    program_.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K),
                        static_cast<std::uint8_t>(holds ? 0 : 1), static_cast<std::uint8_t>(holds ? 1 : 0),
                        value});
    refuse(error);
  }
  std::vector<sock_filter> program_;
};

void addProcesses(Assembler& filter, const CallRules& rules) {
  filter.call(SYS_clone, [&] {
    filter.takeArgument(0);
    filter.refuseWithAny(newNamespaces, EPERM);
    if (!rules.processes) filter.refuseWithout(CLONE_THREAD, EPERM);
  });
#ifdef __x86_64__
  if (!rules.processes) {
    filter.refuseIf(SYS_fork, EPERM);
    filter.refuseIf(SYS_vfork, EPERM);
  }
#endif
  // Whose limits are meant is 0 for the caller itself.
  filter.call(SYS_prlimit64, [&] {
    filter.takeArgument(0);
    filter.refuseUnless(0, EPERM);
  });
  // A process inside must not outlive its launcher.
  filter.call(SYS_prctl, [&] {
    filter.takeArgument(0);
    filter.given(PR_SET_PDEATHSIG, [&] {
      filter.takeArgument(1);
      filter.refuseIf(0, EPERM);
      // Another signal could be ignored.
      filter.refuseUnless(SIGKILL, seemsToSucceed);
    });
  });
  // All processes at once are more than its own.
  filter.call(SYS_kill, [&] {
    filter.takeArgument(0);
    filter.refuseIf(~0U, EPERM);
  });
  // Asking, with all bits set, changes nothing.
  filter.call(SYS_personality, [&] {
    filter.takeArgument(0);
    filter.refuseUnless(~0U, EPERM);
  });
}

constexpr std::uint32_t socketKind = 0xf;

void addSockets(Assembler& filter, const CallRules& rules) {
  filter.refuseIf(SYS_connect, EACCES);
  if (!rules.gpu) filter.refuseIf(SYS_socket, EACCES);
  // A datagram could be sent to any socket that has a path, without connecting.
  for (const std::uint32_t call : {SYS_socket, SYS_socketpair})
    filter.call(call, [&] {
      filter.takeArgument(0);
      filter.refuseUnless(AF_UNIX, EACCES);
      filter.takeArgument(1);
      filter.keepBits(socketKind);
      filter.refuseIf(SOCK_DGRAM, EACCES);
      filter.refuseIf(SOCK_RAW, EACCES);
    });
}

void addFiles(Assembler& filter, const CallRules& rules) {
  // Typing into the terminal that Warpbench was started from would be a way out.
  filter.call(SYS_ioctl, [&] {
    filter.takeArgument(1);
    filter.refuseIf(TIOCSTI, EPERM);
    filter.refuseIf(TIOCLINUX, EPERM);
  });
  // What happens to a file may tell a process so by SIGIO, but by no other signal: one of them lets a process
  // go on that is held still.
  filter.call(SYS_fcntl, [&] {
    filter.takeArgument(1);
    filter.refuseIf(F_SETSIG, EPERM);
  });
  // Such memory counts for no process, so that it could not be bounded.
  if (!rules.gpu) filter.refuseIf(SYS_memfd_create, EPERM);
  if (!rules.metadata) {
    for (const std::uint32_t call : modesAndTimes) filter.refuseIf(call, seemsToSucceed);
    for (const std::uint32_t call : ownersAndAttributes) filter.refuseIf(call, EPERM);
  }
  if (rules.truncation) return;
  // Opening a file cuts it short without a right to write, where Landlock does not know of cutting.
  filter.refuseIf(SYS_truncate, EPERM);
  filter.refuseIf(SYS_openat2, ENOSYS);
  const auto cutting = [&](unsigned flags) {
    filter.takeArgument(flags);
    filter.keepBits(O_TRUNC | O_ACCMODE);
    filter.refuseIf(O_TRUNC | O_RDONLY, EACCES);
  };
  filter.call(SYS_openat, [&] { cutting(2); });
#ifdef __x86_64__
  filter.call(SYS_open, [&] { cutting(1); });
#endif
}

}  // namespace

std::vector<sock_filter> callFilter(const CallRules& rules) {
  Assembler filter;
  filter.takeArchitecture();
  filter.refuseUnless(architecture, ENOSYS);
  filter.takeNumber();
  filter.refuseFrom(otherInterface, ENOSYS);
  filter.refuseFrom(newestKnown + 1, ENOSYS);
  for (const std::uint32_t call : refused) filter.refuseIf(call, EPERM);
  for (const std::uint32_t call : unknown) filter.refuseIf(call, ENOSYS);
  addProcesses(filter, rules);
  addSockets(filter, rules);
  addFiles(filter, rules);
  filter.allow();
  return filter.program();
}

namespace {

Result<void> enter(std::vector<sock_filter> program, unsigned long flags) {
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  // Without this flag older kernels slow down every branch of a process with a filter, and what is measured
  // with it.
  flags |= SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &whole) != 0)
    return Error{Stage::setup, "the kernel takes no filter of system calls (seccomp): " +
                                   std::generic_category().message(errno)};
  return {};
}

}  // namespace

Result<void> enterCallFilter(const CallRules& rules) {
  return enter(callFilter(rules), 0);
}

Result<void> forgoCounters() {
  Assembler filter;
  filter.takeArchitecture();
  // A program of another architecture, of 32 bits for one, numbers its calls in another way.
  filter.refuseUnless(architecture, EPERM);
  filter.takeNumber();
  filter.keepBits(~otherInterface);
  for (const std::uint32_t call : {SYS_perf_event_open, SYS_bpf, SYS_userfaultfd})
    filter.refuseIf(call, EPERM);
  // Who has the system hand calls back, or the processor trap who reads its time stamp, answers clocks
  // himself.
  filter.call(SYS_prctl, [&] {
    filter.takeArgument(0);
    filter.refuseIf(PR_SET_TSC, EPERM);
    filter.refuseIf(setCallDispatch, EPERM);
  });
  filter.allow();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return Error{Stage::setup, "no_new_privs cannot be set: " + std::generic_category().message(errno)};
  // Threads that run already have it, too.
  return enter(filter.program(), SECCOMP_FILTER_FLAG_TSYNC);
}

}  // namespace wb
