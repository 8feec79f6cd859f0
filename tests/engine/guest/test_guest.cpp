// SPDX-License-Identifier: Apache-2.0
// A guest whose kernels are named by the source's text. `--liar SEED` speaks the guest's words itself, and
// says whatever comes into its head.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/device/measuring_lock.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/guest/channel/messages.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/channel/turnstile.h"
#include "core/engine/guest/guest_main.h"
#include "core/engine/guest/loading/asked_judge.h"
#include "core/engine/guest/loading/questions.h"
#include "core/engine/guest/orders.h"
#include "tests/engine/guest/test_kernels.h"

namespace wb {
namespace {

class Call final : public PreparedCall {
 public:
  Call(TestKernel function, Stack arguments)
      : function_(std::move(function)), arguments_(std::move(arguments)) {}
  Result<void> run() override {
    results_ = function_(arguments_);
    return {};
  }
  Result<Stack> outputs() override { return results_; }

 private:
  TestKernel function_;
  Stack arguments_, results_;
};

class Kernel final : public Candidate {
 public:
  explicit Kernel(std::string name) : name_(std::move(name)) {}
  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan&) override {
    if (name_ == "refuses") return Error{Stage::check, "not this one"};
    if (name_ == "crashes in prepare") crash();
    if (name_ == "hangs in prepare") hang();
    return std::make_unique<Call>(testKernels().at(name_), call.arguments);
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
