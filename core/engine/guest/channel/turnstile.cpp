// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/turnstile.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// As long as this, whoever waits keeps its processor for itself; after that it offers it to others, such as
/// the threads of the call that it waits for.
constexpr std::chrono::microseconds alone{30};
/// Whoever was without a processor for so long, while it looked, shares it with too many to go on looking:
/// who sleeps is woken sooner. For some of the next waits that is remembered.
constexpr std::chrono::microseconds crowdedAfter{300};
constexpr int crowdedWaits = 200;
constexpr long betweenQuestions = 20'000'000;  // nanoseconds

inline void breathe() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// How many of this thread's next waits are short looks, since it was without a processor while it looked.
thread_local int crowded = 0;

/// The word that the kernel watches. Both processes map it, so it is no private futex.
std::uint32_t* wordOf(SharedCount& count) {
  return reinterpret_cast<std::uint32_t*>(&count.value);
}

}  // namespace

void raise(SharedCount& count, std::uint32_t value) {
  count.value.store(value, std::memory_order_seq_cst);
  if (count.sleeps.load(std::memory_order_seq_cst) != 0)
    ::syscall(SYS_futex, wordOf(count), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool waitForChange(SharedCount& count, std::uint32_t seen, std::chrono::microseconds looking,
                   const std::function<bool()>& goOn) {
  const auto changed = [&] { return count.value.load(std::memory_order_acquire) != seen; };
  const auto start = Steady::now();
  const auto end = start + (crowded > 0 ? std::min(looking, alone) : looking);
  crowded -= crowded > 0 ? 1 : 0;
  for (auto last = start; last < end;) {
    for (int look = 0; look < 32; ++look) {
      if (changed()) return true;
      breathe();
    }
    if (last > start + alone) ::sched_yield();
    const auto now = Steady::now();
    if (now - last > crowdedAfter) {
      crowded = crowdedWaits;
      break;
    }
    last = now;
  }
  while (!changed()) {
    count.sleeps.store(1, std::memory_order_seq_cst);
    const timespec limit{0, betweenQuestions};
    ::syscall(SYS_futex, wordOf(count), FUTEX_WAIT, seen, &limit, nullptr, 0);
    count.sleeps.store(0, std::memory_order_seq_cst);
    if (!changed() && goOn && !goOn()) return changed();
  }
  return true;
}

}  // namespace wb
