// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/code/code_samples.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/sides/code/made_code.h"
#include "core/engine/sides/code/torchs_code.h"
#include "core/engine/sides/operator_watch.h"

namespace wb {

namespace {

constexpr long nanosecondsBetween = 20000;
/// What counts as a function where none is known, in bytes; of code that is made each page may be somebody
/// else's.
constexpr std::uintptr_t codeBlock = 16384, madeBlock = 4096;

struct Look {
  std::uintptr_t at = 0;
  /// Where torch's own code goes on when code has done its work that was made while the process runs.
  std::uintptr_t caller = 0;
  bool isHidden = false;
};
std::array<Look, 4096> looks;
std::atomic<std::size_t> count{0}, interruptions{0}, waits{0}, heldOff{0};
struct sigaction before {};
/// The thread that calls, and the folder of all threads.
std::atomic<pid_t> caller{0};
int threads = -1;
/// How the libraries lie.
std::atomic<const TorchsCode*> libraries{nullptr};
/// A place in the stack of the thread that calls.
std::atomic<std::uintptr_t> callersFrame{0};
timer_t timer{};
/// How many looks were answered.
std::atomic<std::uint64_t> answeredByCaller{0}, answeredByOthers{0};
/// The caller's next look is asked for at this timer.
std::atomic<bool> isByTimer{false};
/// When the other threads may be looked at again.
std::atomic<std::int64_t> nextLookAtOthers{0};

int signalOfOurs() {
  return SIGRTMIN + 9;
}

pid_t thisThread() {
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

/// A thread may still be answering an earlier look, so that some stay that are outdated.
const TorchsCode* librariesNow() {
  constexpr std::size_t kept = 4;
  // Never destroyed, since a thread may answer a look late, while the process ends.
  static auto& found = *new std::deque<TorchsCode>();
  if (found.empty() || found.back().isOutdated()) found.emplace_back();
  if (found.size() > kept) found.pop_front();
  return &found.back();
}

std::uintptr_t placeOf(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(registers.pc);
#endif
}

/// Whether a thread at this place has just come out of the system, which it was waiting in as a rule, or is
/// about to go on waiting there: where a signal interrupts a wait that is begun again, it stands before the
/// call. Code that is made while the process runs, such as oneDNN's, begins where a page does, and nothing
/// may lie in front of it.
bool isAtSystemCall(std::uintptr_t at) {
  constexpr std::uintptr_t page = 4096, longest = 4;
#if defined(__x86_64__)
  const auto* const code = reinterpret_cast<const unsigned char*>(at);
  const auto isCall = [](const unsigned char* bytes) { return bytes[0] == 0x0f && bytes[1] == 0x05; };
  return (at % page <= page - longest && isCall(code)) || (at % page >= longest && isCall(code - 2));
#elif defined(__aarch64__)
  const auto* const code = reinterpret_cast<const std::uint32_t*>(at);
  constexpr std::uint32_t call = 0xd4000001;
  return code[0] == call || (at % page >= longest && code[-1] == call);
#endif
}

/// Whether the system call that a thread comes out of has set which signals come. Its arguments are still in
/// the registers: what to do, two masks, and their size.
bool hasSetSignals(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr long long maskSize = 8;
  return registers.gregs[REG_R10] == maskSize && registers.gregs[REG_RDI] >= SIG_BLOCK &&
         registers.gregs[REG_RDI] <= SIG_SETMASK;
#elif defined(__aarch64__)
  return registers.regs[8] == SYS_rt_sigprocmask;
#endif
}

/// Whether it comes out of one that has sent a signal to this very process or thread: a handler may have run
/// meanwhile in which no other signal is let in. kill and tkill have two arguments, and tgkill has three.
bool hasSentItselfASignal(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto isSignal = [](long long number) { return number > 0 && number < NSIG; };
  const long long first = registers.gregs[REG_RDI], second = registers.gregs[REG_RSI];
  if (first != ::getpid() && first != caller) return false;
  return isSignal(second) || (second == caller && isSignal(registers.gregs[REG_RDX]));
#elif defined(__aarch64__)
  return registers.regs[8] == SYS_tgkill || registers.regs[8] == SYS_tkill || registers.regs[8] == SYS_kill;
#endif
}

std::int64_t nanosecondsNow() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Interrupts all other threads. This is done in a signal's handler, so it takes no memory.
void interruptOthers() {
  if (::lseek(threads, 0, SEEK_SET) != 0) return;
  struct Entry {
    std::uint64_t node, next;
    unsigned short size;
    unsigned char kind;
    char name[1];
  };
  alignas(Entry) std::array<char, 4096> entries{};
  const long size = ::syscall(SYS_getdents64, threads, entries.data(), entries.size());
  for (long at = 0; at < size;) {
    const auto* const entry = reinterpret_cast<const Entry*>(entries.data() + at);
    at += entry->size;
    const pid_t thread = std::atoi(static_cast<const char*>(entry->name));
    if (thread > 0 && thread != caller) ::syscall(SYS_tgkill, ::getpid(), thread, signalOfOurs());
  }
}

/// That takes longer than it is until the next signal, which would then be handled before the caller has done
/// anything, and so on for ever. So it takes half of the time at most.
void lookAtOthers() {
  const std::int64_t begin = nanosecondsNow();
  if (threads < 0 || begin < nextLookAtOthers.load(std::memory_order_relaxed)) return;
  interruptOthers();
  const std::int64_t end = nanosecondsNow();
  nextLookAtOthers.store(end + (end - begin), std::memory_order_relaxed);
}

/// Above the stack of another thread lies what the system keeps of it, so that a little more can be read
/// there.
std::uintptr_t stackEndOf(bool isCaller) {
  return isCaller ? callersFrame.load(std::memory_order_relaxed) : std::numeric_limits<std::uintptr_t>::max();
}

/// Where torch's own code goes on when code is done that was made while the process runs; else 0.
std::uintptr_t callerOfMade(std::uintptr_t at, const void* context, bool isCaller) {
  const TorchsCode& known = *libraries.load(std::memory_order_acquire);
  return known.isOfNoLibrary(at) ? callerInTorch(known, context, stackEndOf(isCaller)) : 0;
}

void keep(std::uintptr_t at, std::uintptr_t calledFrom, bool isHidden) {
  const std::size_t place = count.fetch_add(1, std::memory_order_relaxed);
  if (place < looks.size()) looks[place] = {at, calledFrom, isHidden};
}

/// Asks for the next signal. To handle one takes longer than it is until the next on some machines, so that a
/// timer that goes on by itself would leave the caller no time at all.
bool askForNext() {
  const itimerspec once{{0, 0}, {0, nanosecondsBetween}};
  return ::timer_settime(timer, 0, &once, nullptr) == 0;
}

void look(int, siginfo_t*, void* context) {
  const int error = errno;
  const std::uintptr_t at = placeOf(context);
  const bool isCaller = thisThread() == caller;
  const bool isWaiting = isAtSystemCall(at);
  if (isCaller) interruptions.fetch_add(1, std::memory_order_relaxed);
  if (isCaller && isWaiting) waits.fetch_add(1, std::memory_order_relaxed);
  if (isCaller && isWaiting && (hasSetSignals(context) || hasSentItselfASignal(context)))
    heldOff.fetch_add(1, std::memory_order_relaxed);
  if (isWaiting) {
    if (isCaller) lookAtOthers();
  } else if (!libraries.load(std::memory_order_acquire)->waits(at)) {
    // On a busy machine threads wait for each other for longer than they work, and no share would tell.
    keep(at, callerOfMade(at, context, isCaller), isCaller ? !isInOperator() : !isAnyInOperator());
  }
  if (isCaller && isByTimer.load(std::memory_order_relaxed)) askForNext();
  (isCaller ? answeredByCaller : answeredByOthers).fetch_add(1, std::memory_order_relaxed);
  errno = error;
}

}  // namespace

namespace {

/// Nothing was seen yet of the calling thread.
void beginLooks() {
  count.store(0, std::memory_order_relaxed);
  interruptions.store(0, std::memory_order_relaxed);
  waits.store(0, std::memory_order_relaxed);
  heldOff.store(0, std::memory_order_relaxed);
  nextLookAtOthers.store(0, std::memory_order_relaxed);
  caller = thisThread();
  libraries.store(librariesNow(), std::memory_order_release);
  callersFrame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  threads = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  (void)isInOperator();  // the first look at a thread's own variable may take memory
}

void endLooks() {
  if (threads >= 0) ::close(std::exchange(threads, -1));
}

bool handleSignal(struct sigaction& instead) {
  struct sigaction handling {};
  handling.sa_sigaction = look;
  handling.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigfillset(&handling.sa_mask);
  return ::sigaction(signalOfOurs(), &handling, &instead) == 0;
}

/// A signal that was sent before is still answered by ours: the default would end the process.
void putHandlingBack(const struct sigaction& handling) {
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(signalOfOurs(), &ignored, nullptr);
  ::sigaction(signalOfOurs(), &handling, nullptr);
}

}  // namespace

CodeSamples::CodeSamples() {
  beginLooks();
  if (!handleSignal(before)) return;
  isOn_ = true;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signalOfOurs();
  event._sigev_un._tid = caller;
  hasTimer_ = ::timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  isByTimer = hasTimer_;
  if (!hasTimer_ || !askForNext()) stop();
}

CodeSamples::~CodeSamples() {
  stop();
}

void CodeSamples::stop() {
  endLooks();
  if (!isOn_) return;
  isOn_ = false;
  isByTimer = false;
  if (hasTimer_) ::timer_delete(timer);
  putHandlingBack(before);
}

namespace {

/// Where the function begins that an address is in; nothing where that is not known, as of MKL's.
std::optional<std::uintptr_t> functionOf(std::uintptr_t at) {
  void* const begin = ::_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(at));
  return begin != nullptr ? std::optional(reinterpret_cast<std::uintptr_t>(begin)) : std::nullopt;
}

SeenCode seenIn(std::span<const Look> all, std::size_t times) {
  SeenCode seen;
  seen.looks = times;
  const TorchsCode& known = *libraries;
  for (const Look& each : all) {
    const bool isMade = known.isOfNoLibrary(each.at);
    if (!isMade && !known.has(each.at)) continue;
    // Code that was made lies elsewhere in each process, and torch's own that has called it does not.
    const std::uintptr_t at = each.caller != 0 ? each.caller : each.at;
    const std::optional<std::uintptr_t> begin = isMade && each.caller == 0 ? std::nullopt : functionOf(at);
    const std::uintptr_t block = isMade && each.caller == 0 ? madeBlock : codeBlock;
    const std::uintptr_t function = begin.value_or(at / block * block);
    if (each.caller != 0)
      seen.executed.emplace(function, each.caller);
    else if (!isMade)
      seen.executed.emplace(function, begin.value_or(at));
    ++seen.torchs[function];
    if (each.isHidden) ++seen.hidden[function];
  }
  return seen;
}

}  // namespace

namespace {

SeenCode seenSoFar() {
  const std::size_t times = std::min(count.load(std::memory_order_relaxed), looks.size());
  SeenCode seen = seenIn(std::span(looks).first(times), times);
  seen.interruptions = interruptions.load(std::memory_order_relaxed);
  seen.waits = waits.load(std::memory_order_relaxed);
  seen.heldOff = heldOff.load(std::memory_order_relaxed);
  return seen;
}

}  // namespace

SeenCode CodeSamples::take() {
  stop();
  return seenSoFar();
}

namespace {

/// The threads of this process but for one and the one that asks.
std::vector<pid_t> threadsBeside(pid_t one) {
  std::vector<pid_t> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/task"), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr)
    if (const pid_t each = std::atoi(entry->d_name); each > 0 && each != one && each != thisThread())
      found.push_back(each);
  return found;
}

}  // namespace

UnforeseenLooks::UnforeseenLooks() : looked_(thisThread()) {
  if (!handleSignal(before_)) return;
  // No signal is meant for the thread that sends them.
  sigset_t all, now;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &now);
  sender_ = std::thread([this] { send(); });
  ::pthread_sigmask(SIG_SETMASK, &now, nullptr);
}

UnforeseenLooks::~UnforeseenLooks() {
  if (!sender_.joinable()) return;
  state_ = ending;
  state_.notify_one();
  sender_.join();
  putHandlingBack(before_);
}

namespace {

/// Asks a thread for looks one by one. Such signals queue up, and to handle one may take longer than it is
/// until the next, so that a thread which is not waited for would do nothing else for ever.
class Asked {
 public:
  explicit Asked(const std::atomic<std::uint64_t>& answered) : answered_(answered) {}
  /// Whether the last look was answered, and time has gone by since.
  [[nodiscard]] bool mayAsk() {
    if (!isOpen_) return true;
    if (answered_ == before_ && ++looks_ < longest) return false;
    isOpen_ = false;
    return false;
  }
  void ask(pid_t thread) {
    before_ = answered_;
    looks_ = 0;
    isOpen_ = ::syscall(SYS_tgkill, ::getpid(), thread, signalOfOurs()) == 0;
  }

 private:
  /// Who has not answered then keeps signals away.
  static constexpr int longest = 500;
  const std::atomic<std::uint64_t>& answered_;
  std::uint64_t before_ = 0;
  int looks_ = 0;
  bool isOpen_ = false;
};

}  // namespace

void UnforeseenLooks::send() const {
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  std::uint64_t drawn = std::random_device()();
  Asked first(answeredByCaller), other(answeredByOthers);
  for (;;) {
    state_.wait(atRest);
    const int now = state_;
    if (now == ending) return;
    if (now == atRest) continue;
    drawn = drawn * 6364136223846793005U + 1442695040888963407U;
    const timespec between{0, nanosecondsBetween / 2 + static_cast<long>(drawn >> 40) % nanosecondsBetween};
    ::nanosleep(&between, nullptr);
    if (state_ != looking) continue;
    if (first.mayAsk()) first.ask(looked_);
    if (!other.mayAsk()) continue;
    if (const std::vector<pid_t> others = threadsBeside(looked_); !others.empty())
      other.ask(others[(drawn >> 20) % others.size()]);
  }
}

void UnforeseenLooks::begin() {
  beginLooks();
  state_ = looking;
  state_.notify_one();
}

SeenCode UnforeseenLooks::end() {
  state_ = atRest;
  endLooks();
  return seenSoFar();
}

}  // namespace wb
