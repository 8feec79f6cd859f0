// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/code_samples.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/sides/operator_watch.h"
#include "core/engine/sides/torchs_code.h"

namespace wb {

namespace {

constexpr long nanosecondsBetween = 20000;
/// Fewer looks tell nothing. A function counts as the reference's own from this share of its looks on.
constexpr std::size_t enoughLooks = 20;
constexpr double ownShare = 0.25;

struct Look {
  std::uintptr_t at = 0;
  bool isHidden = false;
};
std::array<Look, 4096> looks;
std::atomic<std::size_t> count{0};
struct sigaction before {};

int signalOfOurs() {
  return SIGRTMIN + 9;
}

void look(int, siginfo_t*, void* context) {
  const int error = errno;
  const std::size_t place = count.load(std::memory_order_relaxed);
  if (place < looks.size()) {
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    looks[place].at = static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
    looks[place].at = static_cast<std::uintptr_t>(registers.pc);
#endif
    looks[place].isHidden = !isInOperator();
    count.store(place + 1, std::memory_order_relaxed);
  }
  errno = error;
}

}  // namespace

void SeenCode::add(const SeenCode& more) {
  for (const auto& [function, times] : more.torchs) torchs[function] += times;
  for (const auto& [function, times] : more.hidden) hidden[function] += times;
  looks += more.looks;
}

CodeSamples::CodeSamples() {
  count.store(0, std::memory_order_relaxed);
  (void)isInOperator();  // the first look at a thread's own variable may take memory
  struct sigaction handling {};
  handling.sa_sigaction = look;
  handling.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigfillset(&handling.sa_mask);
  if (::sigaction(signalOfOurs(), &handling, &before) != 0) return;
  isOn_ = true;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signalOfOurs();
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  const itimerspec often{{0, nanosecondsBetween}, {0, nanosecondsBetween}};
  hasTimer_ = ::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  if (!hasTimer_ || ::timer_settime(timer_, 0, &often, nullptr) != 0) stop();
}

CodeSamples::~CodeSamples() {
  stop();
}

void CodeSamples::stop() {
  if (!isOn_) return;
  isOn_ = false;
  if (hasTimer_) ::timer_delete(timer_);
  // A signal that was sent before is still answered by ours: the default would end the process.
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(signalOfOurs(), &ignored, nullptr);
  ::sigaction(signalOfOurs(), &before, nullptr);
}

SeenCode CodeSamples::take() {
  stop();
  SeenCode seen;
  seen.looks = count.load(std::memory_order_relaxed);
  const TorchsCode torchs;
  for (std::size_t i = 0; i < seen.looks; ++i) {
    if (!torchs.has(looks[i].at)) continue;
    const auto function = reinterpret_cast<std::uintptr_t>(
        ::_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(looks[i].at)));
    if (function == 0) continue;
    ++seen.torchs[function];
    if (looks[i].isHidden) ++seen.hidden[function];
  }
  return seen;
}

double hiddenShare(const SeenCode& candidate, const SeenCode& reference) {
  if (candidate.looks < enoughLooks || reference.looks < enoughLooks) return 0;
  std::size_t shared = 0;
  for (const auto& [function, times] : reference.torchs) {
    if (static_cast<double>(times) < ownShare * static_cast<double>(reference.looks)) continue;
    const auto found = candidate.hidden.find(function);
    if (found != candidate.hidden.end()) shared += found->second;
  }
  return static_cast<double>(shared) / static_cast<double>(candidate.looks);
}

}  // namespace wb
