// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_main.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/device/device_turn.h"
#include "core/engine/device/driver.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/guest/channel/messages.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/channel/turnstile.h"
#include "core/engine/guest/guest_kernel.h"
#include "core/engine/guest/orders.h"
#include "core/engine/guest/values.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/no_gradients.h"
#include "core/engine/sides/bands/guard_bands.h"
#include "core/engine/sides/code/code_samples.h"
#include "core/engine/sides/full_precision.h"
#include "core/engine/sides/operator_watch.h"
#include "core/engine/sides/process/code_traps.h"
#include "core/engine/sides/process/launch_places.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/protocol/seal.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// The next order of a row comes within microseconds; for longer the guest sleeps.
constexpr std::chrono::microseconds looking{50};
constexpr std::chrono::hours longestMessage{24};  // the judge has the deadlines
constexpr std::size_t mostAsked = std::size_t{1} << 30;
/// So long a call that is sampled works, and no longer than this all in all on a busy machine.
constexpr double sampledSeconds = 3e-3, longestCall = 1e6;
constexpr std::chrono::seconds longestSampled{1};
/// So long it waits with its context for who measures on the GPU. That may be its own judge, which has lost a
/// guest meanwhile and waits for this one.
constexpr double longestMeasurement = 1;

class GuestEnd {
 public:
  GuestEnd(std::shared_ptr<SharedMemory> shared,
           const std::function<Compiler*(std::string_view)>& compilerFor)
      : shared_(std::move(shared)),
        turnstile_(*reinterpret_cast<Turnstile*>(shared_->data())),
        kernel_(compilerFor),
        isClosed_(::prctl(PR_GET_DUMPABLE) == 0) {}

  int serve() {
    const NoGradients noGradients;
    for (std::uint32_t seen = 0;;) {
      waitForChange(turnstile_.orders, seen, looking);
      seen = turnstile_.orders.value.load(std::memory_order_acquire);
      ++carriedOut_;
      if (turnstile_.kind == OrderKind::run) {
        run(turnstile_.number);
      } else if (turnstile_.kind == OrderKind::runWatched) {
        runWatched(turnstile_.number);
      } else if (turnstile_.kind == OrderKind::runSampled) {
        runSampled(turnstile_.number);
      } else if (turnstile_.kind == OrderKind::finish) {
        finish();
      } else if (turnstile_.kind == OrderKind::turnTo) {
        turn_.take();
      } else if (turnstile_.kind == OrderKind::message && !converse()) {
        return 0;
      }
      raise(turnstile_.answers, seen);
    }
  }

 private:
  /// Answers one message. Gives false when the judge is gone.
  bool converse() {
    Result<ReceivedMessage> message = receiveMessage(guestSocket, mostAsked, Steady::now() + longestMessage);
    if (!message) return false;
    Bytes answer;
    ByteWriter writer(answer);
    writer.put(std::uint8_t{1});
    Result<void> done;
    try {
      ByteReader reader(message->bytes);
      const auto order = reader.get<Order>();
      done = !mayDo(order)                ? Error{Stage::check, "this process has its kernel, and no other"}
             : order == Order::load       ? kernel_.load(reader, writer)
             : order == Order::prepare    ? kernel_.prepare(reader, message->descriptors, writer)
             : order == Order::makeInputs ? kernel_.makeInputs(reader, writer)
             : isOfModel(order)           ? kernel_.askModel(order, reader, writer)
             : order == Order::profile    ? kernel_.profile(reader, writer)
             : order == Order::rest       ? kernel_.rest(writer)
             : order == Order::copy       ? copy(reader, message->descriptors, writer)
                                          : Result<void>();
      if (order == Order::sayWhatRan) write(writer, std::exchange(ran_, {}));
      if (order == Order::sayHotCode) write(writer, std::exchange(hotCode_, {}));
      if (order == Order::sayAnswer) writer.block(answers_[reader.get<std::uint32_t>() % slotCount]);
    } catch (...) {
      done = Error{Stage::check, exceptionText()};
    }
    if (!done) {
      answer.clear();
      writer.put(std::uint8_t{0});
      write(writer, done.error());
    }
    if (isClosed_) {
      SaidBy by{carriedOut_, ::getpid(), drawSealKey(), 0};
      by.message = hashOf(by.key, message->bytes);
      const auto* const first = reinterpret_cast<const std::byte*>(&by);
      answer.insert(answer.end(), first, first + sizeof by);
    }
    return sendMessage(guestSocket, answer, {}, Steady::now() + longestMessage).has_value();
  }

  /// One that is closed loads once, and does what its judge asks: a kernel may have found the socket.
  bool mayDo(Order order) {
    if (!isClosed_) return order != Order::sayAnswer;
    if (order == Order::load) return !std::exchange(hasLoaded_, true);
    return order == Order::prepare || order == Order::makeInputs || order == Order::copy ||
           order == Order::sayAnswer;
  }

  /// Copies bytes of this process to where the judge reads them.
  Result<void> copy(ByteReader& from, const std::vector<int>& descriptors, ByteWriter& to) {
    const auto address = from.get<std::uint64_t>(), size = from.get<std::uint64_t>(),
               whole = from.get<std::uint64_t>();
    if (!descriptors.empty()) {
      WB_TRY(copies_, SharedMemory::map(descriptors.front(), whole));
    }
    if (from.bad() || !copies_ || size > copies_->size())
      return Error{Stage::check, "there is no memory for a copy"};
    const auto* const data = reinterpret_cast<const char*>(address);
    std::memcpy(copies_->data(), data, size);
    // Whoever has found the memory may write there, and not here.
    const SealKey key = drawSealKey();
    to.put(key);
    to.put(sipHash(key, {data, size}));
    return {};
  }

  static bool isOfModel(Order order) {
    return order == Order::rememberBuffers || order == Order::sayBuffers || order == Order::drawParameters;
  }

  void run(std::uint32_t number) {
    answer_.clear();
    kernel_.forgetResults();
    ByteWriter to(answer_);
    Result<void> done;
    try {
      takeGenerator();
      done = answerOf(number, to);
    } catch (...) {
      done = Error{Stage::check, exceptionText()};
    }
    if (done && answer_.size() + sizeof(std::uint32_t) > slotBytes)
      done = Error{Stage::check, "the kernel returned more tensors than --strict takes"};
    if (!done) {
      answer_.clear();
      to.put(std::uint8_t{0});
      write(to, done.error());
    }
    say(number);
  }

  /// The kernel may bend what is seen here: it runs in this process.
  void runWatched(std::uint32_t number) {
    std::optional<GuardBands> bands;
    std::optional<GuardBands::InForce> guarded;
    // On a GPU a result is found by the memory that torch has asked the driver for.
    if (kernel_.device().is_cpu()) guarded.emplace(bands.emplace(std::random_device()()));
    // What bands have torch do is not the kernel's.
    const OperatorWatch watch(kernel_.op());
    const auto start = Steady::now();
    run(number);
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    ran_.parts = watch.ran(seconds);
    guarded.reset();
    ran_.beyond = bands ? beyondResults(bands->found()) : std::nullopt;
  }

  [[nodiscard]] std::optional<WrittenThere> beyondResults(const std::optional<WrittenBeyond>& beyond) const {
    if (!beyond) return std::nullopt;
    WrittenThere there{beyond->inFront, beyond->behind};
    const std::vector<const void*>& results = kernel_.resultMemory();
    const auto result = std::find(results.begin(), results.end(), beyond->data);
    if (result != results.end()) there.result = result - results.begin();
    return there;
  }

  /// Of the reference, which has no reason to bend this.
  void runSampled(std::uint32_t number) {
    if (!kernel_.device().is_cpu()) return runLaunching(number);
    const auto end = Steady::now() + longestSampled;
    const double began = workedSeconds();
    const auto goesOn = [&](double seconds) {
      return workedSeconds() - began < seconds && Steady::now() < end;
    };
    // To look makes a call longer, and so does its first run in a process.
    double shortest = longestCall;
    const auto runOnce = [&] {
      const double before = workedSeconds();
      run(number);
      shortest = std::min(shortest, workedSeconds() - before);
    };
    do runOnce();
    while (goesOn(sampledSeconds));
    // On a busy machine little but the waits of its threads for each other is seen where there are several,
    // and this one turns in a circle meanwhile.
    const OneThread alone;
    runOnce();
    CodeSamples samples;
    do run(number);
    while (goesOn(3 * sampledSeconds));
    hotCode_ = hotCodeOf(samples.take(), shortest);
  }

  /// On a GPU the host spends no time in what tells one operator from another, and launches it from there.
  void runLaunching(std::uint32_t number) {
    const LaunchPlaces places;
    run(number);
    hotCode_.clear();
    for (const LaunchPlace& place : places.taken())
      if (hotCode_.size() < CodeTraps::most) hotCode_.push_back({place.at, launchSeconds});
  }

  /// Waits for the GPU, and says what it said.
  void finish() {
    answer_.clear();
    ByteWriter to(answer_);
    const Result<void> done = synchronize(Stage::check);
    to.put(static_cast<std::uint8_t>(done ? 1 : 0));
    if (!done) write(to, done.error());
    say(finishSlot);
  }

  /// Writes the answer into a slot.
  void say(std::uint32_t number) {
    std::byte* const slot = shared_->data() + slotsBegin + (number % slotCount) * slotBytes;
    const auto size = static_cast<std::uint32_t>(std::min(answer_.size(), slotBytes - sizeof(std::uint32_t)));
    std::memcpy(slot, &size, sizeof size);
    std::memcpy(slot + sizeof size, answer_.data(), size);
    if (isClosed_) answers_[number % slotCount] = answer_;
  }

  Result<void> answerOf(std::uint32_t number, ByteWriter& to) {
    PreparedCall* const call = kernel_.call(number);
    if (call == nullptr) return Error{Stage::check, "there is no such call"};
    std::optional<FullPrecision> full;
    if (kernel_.isInFullPrecision(number)) full.emplace();
    WB_DO(call->run());
    // What the results are is said within the time of the call, so that nothing can be made later.
    WB_TRY(const Stack results, call->outputs());
    to.put(std::uint8_t{1});
    kernel_.writeResults(to, results);
    return {};
  }

  /// A call of a random operator starts from the state of the generator that goes with its order.
  void takeGenerator() {
    const std::uint32_t size = turnstile_.generatorBytes;
    if (size == 0 || size > sizeof turnstile_.generator) return;
    const at::Tensor state = at::empty({static_cast<std::int64_t>(size)}, at::kByte);
    std::memcpy(state.mutable_data_ptr(), turnstile_.generator, size);
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_state(state);
  }

  std::shared_ptr<SharedMemory> shared_, copies_;
  Turnstile& turnstile_;
  GuestKernel kernel_;
  /// What ran in the last watched call.
  RanThere ran_;
  /// In which code of torch's the last sampled call was.
  std::vector<HotCode> hotCode_;
  Bytes answer_;
  /// It is closed to its judge, in whose process a kernel's code runs.
  bool isClosed_, hasLoaded_ = false;
  std::uint64_t carriedOut_ = 0;
  DeviceTurn turn_;
  /// The last answer of each call, where it is asked for by a message.
  std::array<Bytes, slotCount> answers_;
};

int serveJudge(const std::function<Compiler*(std::string_view)>& compilerFor,
               const std::function<void()>& begins) {
  constexpr int noJudge = 3;
  Result<ReceivedMessage> first = receiveMessage(guestSocket, mostAsked, Steady::now() + longestMessage);
  if (!first || first->descriptors.empty() || first->descriptors.size() > 2) return noJudge;
  {
    std::optional<MeasuringLock> gpu;
    if (first->descriptors.size() == 2)
      gpu.emplace(MeasuringLock::shareBy(first->descriptors.back(), longestMeasurement));
    if (begins) begins();
  }
  auto shared = SharedMemory::map(first->descriptors.front(), slotsBegin + slotCount * slotBytes);
  if (!shared || !sendMessage(guestSocket, first->bytes, {}, Steady::now() + longestMessage)) return noJudge;
  // User code in Python may keep objects of ours to the end of the process.
  return (new GuestEnd(*std::move(shared), compilerFor))->serve();
}

}  // namespace

int serveGuests(const std::function<Compiler*(std::string_view)>& compilerFor,
                const std::function<void()>& begins, const std::function<void()>& warms) {
  return forkGuests([&] { return serveJudge(compilerFor, begins); }, warms);
}

}  // namespace wb
