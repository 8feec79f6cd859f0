// SPDX-License-Identifier: Apache-2.0
// A guest whose kernels are named by the source's text. `--liar SEED` speaks the guest's words itself, and
// says whatever comes into its head.
#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/guest/channel/messages.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/channel/turnstile.h"
#include "core/engine/guest/guest_main.h"
#include "core/engine/guest/loading/asked_judge.h"
#include "core/engine/guest/loading/questions.h"
#include "core/engine/guest/orders.h"
#include "core/engine/reference/operator.h"
#include "core/engine/sides/memory/page_entries.h"

namespace wb {
namespace {

using Function = std::function<Stack(const Stack&)>;

class Call final : public PreparedCall {
 public:
  Call(Function function, Stack arguments)
      : function_(std::move(function)), arguments_(std::move(arguments)) {}
  Result<void> run() override {
    results_ = function_(arguments_);
    return {};
  }
  Result<Stack> outputs() override { return results_; }

 private:
  Function function_;
  Stack arguments_, results_;
};

[[noreturn]] void hang() {
  while (true) ::pause();
}

[[noreturn]] void crash() {
  ::raise(SIGSEGV);
  std::abort();
}

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

const std::map<std::string, Function>& kernels() {
  static const std::map<std::string, Function> all{
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

class Kernel final : public Candidate {
 public:
  explicit Kernel(std::string name) : name_(std::move(name)) {}
  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan&) override {
    if (name_ == "refuses") return Error{Stage::check, "not this one"};
    if (name_ == "crashes in prepare") crash();
    if (name_ == "hangs in prepare") hang();
    return std::make_unique<Call>(kernels().at(name_), call.arguments);
  }

 private:
  std::string name_;
};

/// Says a question as bytes of its own.
void say(const Bytes& question) {
  (void)sendMessage(guestSocket, question, {}, std::chrono::steady_clock::now() + std::chrono::hours{1});
}

/// The question for kernels with these names, whatever its length.
Bytes questionFor(const std::vector<std::string>& names) {
  Bytes question;
  ByteWriter writer(question);
  writer.put(asksForKernels);
  write(writer, names);
  return question;
}

/// The question for a million kernels without a name: each is the length of its text, which is 0.
Bytes aMillionNames() {
  constexpr std::uint32_t count = 1000000;
  Bytes question(1 + (1 + std::size_t{count}) * sizeof count);
  question[0] = std::byte{asksForKernels};
  std::memcpy(&question[1], &count, sizeof count);
  return question;
}

/// Names kernels while it is loaded, as its own name says.
Result<NamedKernels> askForKernels(const std::string& name) {
  const std::vector<std::string> plain{"k<float>", "k<double>"};
  if (name == "asks for its number") return kernelsByJudge({std::to_string(::getpid())});
  if (name == "asks for too much")
    return kernelsByJudge(std::vector<std::string>(300, std::string(4000, 'k')));
  if (name == "says a million") {
    say(aMillionNames());
    hang();
  }
  if (name == "asks and dies") {
    say(questionFor(plain));
    crash();
  }
  if (name == "asks nonsense") {
    Bytes question = questionFor(plain);
    question.resize(question.size() / 2);
    say(question);
    WB_TRY(const auto answer, receiveMessage(guestSocket, mostQuestion,
                                             std::chrono::steady_clock::now() + std::chrono::hours{1}));
    ByteReader reader(answer.bytes);
    return readNamedKernels(reader);
  }
  if (name == "asks in vain") {
    (void)kernelsByJudge(plain);
    return NamedKernels{};
  }
  while (name == "asks without end") (void)kernelsByJudge(plain);
  return kernelsByJudge(plain);
}

class TestCompiler final : public Compiler {
 public:
  [[nodiscard]] std::string_view language() const override { return "test"; }
  Result<Claim> claim(const KernelSource&) override { return Claim{}; }
  Result<CompileOutcome> compile(const CompileRequest& request) override {
    const std::string& name = request.source.text;
    if (name == "does not load") return Error{Stage::compile, "no kernel here"};
    if (name == "says how warm") {
      const char* const warm = std::getenv("WARPBENCH_WARM");
      return Error{Stage::compile, warm == nullptr ? "cold" : warm};
    }
    if (name == "crashes in load") crash();
    if (name == "hangs in load") hang();
    const bool isLoadedAgain = std::exchange(wasLoaded_, true);
    if (name == "loads once" && isLoadedAgain) return Error{Stage::compile, "it was here before"};
    if (name == "crashes at the second load" && isLoadedAgain) crash();
    patches_ = name == "patches";
    CompileOutcome outcome;
    outcome.toolchain = "a test";
    if (name.starts_with("asks") || name.starts_with("says")) {
      WB_TRY(const NamedKernels kernels, askForKernels(name));
      outcome.toolchain = kernels.cubin;
      for (const std::string& each : kernels.loweredNames) outcome.toolchain += " " + each;
      outcome.candidate = std::make_unique<Kernel>("relu");
      return outcome;
    }
    const bool isAboutLoading = name == "patches" || name.find("load") != std::string::npos;
    outcome.candidate = std::make_unique<Kernel>(isAboutLoading ? "relu" : name);
    return outcome;
  }
  RuntimeTraces traces() override { return patches_ ? RuntimeTraces{{}, {"torch.relu"}} : RuntimeTraces{}; }

 private:
  bool wasLoaded_ = false, patches_ = false;
};

/// Answers every order with bytes by chance, some of which say "done".
int lie(unsigned seed) {
  std::mt19937 random(seed);
  const auto never = std::chrono::steady_clock::now() + std::chrono::hours{1};
  const auto first = receiveMessage(guestSocket, 1 << 20, never);
  const auto shared = SharedMemory::map(first->descriptors.at(0), slotsBegin + slotCount * slotBytes);
  (void)sendMessage(guestSocket, first->bytes, {}, never);
  auto& turnstile = *reinterpret_cast<Turnstile*>((*shared)->data());
  for (std::uint32_t seen = 0;;) {
    waitForChange(turnstile.orders, seen, std::chrono::microseconds{50});
    seen = turnstile.orders.value.load();
    std::vector<std::byte> rubbish(random() % 300);
    for (std::byte& each : rubbish) each = static_cast<std::byte>(random() % (random() % 2 == 0 ? 256 : 16));
    // The kernel is loaded, it says, and gives no words for it.
    if (seen == 1) {
      rubbish.assign(1, std::byte{1});
      ByteWriter loaded(rubbish);
      write(loaded, LoadedInGuest{});
    }
    if (!rubbish.empty()) rubbish[0] = std::byte{1};
    std::byte* const slot = (*shared)->data() + slotsBegin;
    const std::uint32_t size =
        random() % 4 == 0 ? static_cast<std::uint32_t>(random()) : static_cast<std::uint32_t>(rubbish.size());
    std::memcpy(slot, &size, sizeof size);
    std::memcpy(slot + sizeof size, rubbish.data(), rubbish.size());
    if (turnstile.kind == OrderKind::message) {
      if (!receiveMessage(guestSocket, 1 << 20, never)) return 0;
      (void)sendMessage(guestSocket, rubbish, {}, never);
    }
    if (random() % 32 == 0) raise(turnstile.answers, static_cast<std::uint32_t>(random()));
    raise(turnstile.answers, seen);
  }
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "--liar") == 0)
    return wb::forkGuests([&] { return wb::lie(static_cast<unsigned>(std::atoi(argv[2]))); });
  wb::TestCompiler compiler;
  const auto compilerFor = [&](std::string_view) { return &compiler; };
  // Each guest that is forked after a warm-up has the variable.
  if (argc > 2 && std::strcmp(argv[2], "--warms") == 0) {
    const auto warm = [] {
      const bool isWarm = std::getenv("WARPBENCH_WARM") != nullptr;
      std::thread([&] { ::setenv("WARPBENCH_WARM", isWarm ? "twice" : "once", 1); }).join();
    };
    return wb::serveGuests(compilerFor, {}, warm);
  }
  if (argc <= 3 || std::strcmp(argv[2], "--begins-on") != 0) return wb::serveGuests(compilerFor);
  // Nobody may measure there while a guest begins.
  return wb::serveGuests(compilerFor, [&] {
    if (wb::MeasuringLock::acquire(argv[3], 0, {})) _exit(1);
  });
}
