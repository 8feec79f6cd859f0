// SPDX-License-Identifier: Apache-2.0
#include "core/base/sandbox/no_counters.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace wb {

bool forgoCounters() {
#if defined(__x86_64__)
  constexpr unsigned architecture = AUDIT_ARCH_X86_64, sameOfX32 = 0x40000000;
#else
  constexpr unsigned architecture = AUDIT_ARCH_AARCH64, sameOfX32 = 0;
#endif
  constexpr unsigned refused = SECCOMP_RET_ERRNO | EPERM;
  std::array<sock_filter, 10> program{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      // A program of another architecture, of 32 bits for one, numbers its calls in another way.
      BPF_STMT(BPF_RET | BPF_K, refused),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~sameOfX32),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, refused),
  }};
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  // Threads that run already have it, too. Without the second flag older kernels slow down every branch of a
  // process with a filter, and what is measured with it.
  constexpr unsigned long flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &whole) == 0;
}

}  // namespace wb
