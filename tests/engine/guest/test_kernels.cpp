// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/guest/test_kernels.h"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/reference/operator.h"
#include "core/engine/sides/memory/page_entries.h"

namespace wb {

void hang() {
  while (true) ::pause();
}

void crash() {
  ::raise(SIGSEGV);
  std::abort();
}

namespace {

Stack at(std::uint64_t address, std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
  return {at::from_blob(reinterpret_cast<void*>(address), sizes, strides, at::kFloat)};
}

/// A result that a thread goes on to write.
at::Tensor stillWritten() {
  static const at::Tensor result = at::zeros({1 << 16}, at::kLong);
  static const bool isBegun = [] {
    std::thread([] {
      auto* const numbers = result.mutable_data_ptr<std::int64_t>();
      for (std::int64_t round = 1;; ++round)
        for (std::int64_t i = 0; i < result.numel(); ++i) numbers[i] = round;
    }).detach();
    return true;
  }();
  (void)isBegun;
  return result;
}

void burn(double seconds) {
  const double began = workedSeconds();
  while (workedSeconds() - began < seconds) {
  }
}

timer_t ownTimer{};

/// In two milliseconds the process goes on, whoever holds it still.
void goOnSoon() {
  constexpr long soon = 2'000'000;
  const itimerspec once{{0, 0}, {0, soon}};
  ::timer_settime(ownTimer, 0, &once, nullptr);
}

/// Goes on again and again by a timer of its own.
at::Tensor wakesItself(const at::Tensor& self) {
  static const bool isMade = [] {
    ::signal(SIGCONT, [](int) {
      burn(1e-3);
      goOnSoon();
    });
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGCONT;
    return ::timer_create(CLOCK_MONOTONIC, &event, &ownTimer) == 0;
  }();
  if (!isMade) throw std::runtime_error("no timer");
  // To be held still takes a signal away that has come and was not answered.
  goOnSoon();
  return at::relu(self);
}

/// Does its work in the handler of the signal by which it is let go on.
at::Tensor worksWhenLetGoOn(const at::Tensor& self) {
  ::signal(SIGCONT, [](int) { burn(0.05); });
  return at::relu(self);
}

/// A page that nobody may read until somebody asks for it, which a handler then fills.
Stack filledLate() {
  constexpr std::size_t page = 4096;
  static void* memory = nullptr;
  memory = ::mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action {};
  action.sa_handler = [](int) { ::mprotect(memory, page, PROT_READ | PROT_WRITE); };
  ::sigaction(SIGSEGV, &action, nullptr);
  return at(reinterpret_cast<std::uint64_t>(memory), {4}, {1});
}

/// Starts a process that stays, and gives its number.
std::int64_t startChild() {
  const pid_t child = ::fork();
  if (child == 0) hang();
  return child;
}

/// A thread that takes every stop back.
void fight() {
  std::thread([] {
    while (true) ::kill(::getpid(), SIGCONT);
  }).detach();
}

/// A thread that counts on in the result as long as it may run.
Stack countOn() {
  static at::Tensor counter = at::zeros({1}, at::kLong);
  static bool begun = false;
  if (!std::exchange(begun, true))
    std::thread([] {
      auto* const count = counter.mutable_data_ptr<std::int64_t>();
      while (true) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    }).detach();
  return {counter};
}

/// Every answer lies in the memory of the one before.
at::Tensor sameMemory(const at::Tensor& given) {
  static const at::Tensor kept = at::empty_like(given);
  return kept.copy_(given);
}

/// The input's memory at another address.
at::Tensor mappedTwice(const at::Tensor& given) {
  constexpr std::uintptr_t page = 4096;
  const auto address = reinterpret_cast<std::uintptr_t>(given.const_data_ptr());
  const std::uintptr_t begin = address / page * page;
  auto* const again = static_cast<char*>(
      ::mremap(reinterpret_cast<void*>(begin), 0, address - begin + given.nbytes(), MREMAP_MAYMOVE));
  return at::from_blob(again + (address - begin), given.sizes(), given.options());
}

/// Most of a millisecond in torch's code.
at::Tensor worksLong(const at::Tensor& given) {
  at::Tensor answer = given;
  for (int i = 0; i < 20; ++i) answer = at::silu(answer);
  return answer;
}

/// The same where nobody is told.
at::Tensor worksQuietly(const at::Tensor& given) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const at::DisableRecordFunctionGuard quiet;
  at::Tensor answer = worksLong(given);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return answer;
}

/// The same in a thread that begins in the call.
at::Tensor worksInAThread(const at::Tensor& given) {
  at::Tensor answer;
  std::thread([&] { answer = worksLong(given); }).join();
  return answer;
}

/// The same in a thread that was there before, and waits for the call.
at::Tensor worksInAWaitingThread(const at::Tensor& given) {
  static std::atomic<const at::Tensor*> asked = nullptr;
  static at::Tensor answer;
  static const bool begun = (std::thread([] {
                               while (true) {
                                 asked.wait(nullptr);
                                 answer = worksLong(*asked.load());
                                 asked = nullptr;
                                 asked.notify_all();
                               }
                             }).detach(),
                             true);
  (void)begun;
  asked = &given;
  asked.notify_all();
  while (const at::Tensor* waiting = asked.load()) asked.wait(waiting);
  return answer;
}

/// Copies, and changes the number behind the end.
at::Tensor writesBeyond(const at::Tensor& given) {
  at::Tensor answer = given.clone();
  auto* const end = static_cast<unsigned char*>(answer.mutable_data_ptr()) + answer.nbytes();
  for (std::size_t i = 0; i < sizeof(float); ++i) end[i] = static_cast<unsigned char>(~end[i]);
  return answer;
}

/// The process that traces this one, as it sees that itself.
std::int64_t tracer() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("TracerPid:")) return std::stoll(line.substr(10));
  return -1;
}

/// Whether a page of torch's constants is mapped that nothing here reads: a name of a type.
std::int64_t hasConstants() {
  const auto place = reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, "_ZTSN2at18CUDAHooksInterfaceE"));
  const std::vector<std::uint64_t> pages = pageEntries(place, place + 1);
  return place != 0 && pages.size() == 1 && (pages[0] & pageIsThere) != 0 ? 1 : 0;
}

}  // namespace

const std::map<std::string, TestKernel>& testKernels() {
  static const std::map<std::string, TestKernel> all{
      {"precision",
       [](const Stack& a) -> Stack {
         const bool isFull = at::globalContext().float32Precision(
                                 at::Float32Backend::CUDA, at::Float32Op::CONV) == at::Float32Precision::IEEE;
         return {at::full_like(a[0].toTensor(), isFull)};
       }},
      {"relu", [](const Stack& a) { return Stack{at::relu(a[0].toTensor())}; }},
      {"relu_", [](const Stack& a) { return Stack{at::relu_(const_cast<c10::IValue&>(a[0]).toTensor())}; }},
      {"same memory", [](const Stack& a) { return Stack{sameMemory(a[0].toTensor())}; }},
      {"mapped twice", [](const Stack& a) { return Stack{mappedTwice(a[0].toTensor())}; }},
      {"still writes", [](const Stack&) { return Stack{stillWritten()}; }},
      {"wakes itself", [](const Stack& a) { return Stack{wakesItself(a[0].toTensor())}; }},
      {"works when it is let go on", [](const Stack& a) { return Stack{worksWhenLetGoOn(a[0].toTensor())}; }},
      {"works long", [](const Stack& a) { return Stack{worksLong(a[0].toTensor())}; }},
      {"works quietly", [](const Stack& a) { return Stack{worksQuietly(a[0].toTensor())}; }},
      {"works in a thread", [](const Stack& a) { return Stack{worksInAThread(a[0].toTensor())}; }},
      {"works in a waiting thread",
       [](const Stack& a) { return Stack{worksInAWaitingThread(a[0].toTensor())}; }},
      {"writes beyond", [](const Stack& a) { return Stack{writesBeyond(a[0].toTensor())}; }},
      {"writes beyond its own", [](const Stack& a) { return Stack{writesBeyond(a[0].toTensor()).mul(1)}; }},
      {"tells its tracer", [](const Stack&) { return Stack{at::full({1}, tracer(), at::kLong)}; }},
      {"has constants", [](const Stack&) { return Stack{at::full({1}, hasConstants(), at::kLong)}; }},
      {"view", [](const Stack& a) { return Stack{a[0].toTensor().slice(0, 1)}; }},
      {"rand", [](const Stack&) { return Stack{at::rand({4})}; }},
      {"several",
       [](const Stack& a) {
         return Stack{at::ones({2}), c10::IValue(), a[0].toTensor().t()};
       }},
      {"throws", [](const Stack&) -> Stack { throw std::runtime_error("no such luck"); }},
      {"crashes", [](const Stack&) -> Stack { crash(); }},
      {"exits", [](const Stack&) -> Stack { ::_exit(0); }},
      {"hangs", [](const Stack&) -> Stack { hang(); }},
      {"unmapped", [](const Stack&) { return at(0x1000, {4}, {1}); }},
      {"huge", [](const Stack&) { return at(0x1000, {std::int64_t{1} << 33}, {1}); }},
      {"beyond",
       [](const Stack& a) {
         return at(reinterpret_cast<std::uint64_t>(a[0].toTensor().const_data_ptr()), {1000}, {1});
       }},
      {"filled late", [](const Stack&) { return filledLate(); }},
      {"sparse", [](const Stack& a) { return Stack{a[0].toTensor().to_sparse()}; }},
      {"many", [](const Stack&) { return Stack(2000, c10::IValue(at::ones({1}))); }},
      {"fights",
       [](const Stack& a) {
         fight();
         return Stack{a[0]};
       }},
      {"counts on", [](const Stack&) { return countOn(); }},
      {"starts", [](const Stack&) { return Stack{at::full({1}, startChild(), at::kLong)}; }},
      {"seeks", [](const Stack&) { return Stack{static_cast<std::int64_t>(::getppid())}; }},
  };
  return all;
}

}  // namespace wb
