// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_main.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/device/current_device.h"
#include "core/engine/device/driver.h"
#include "core/engine/guest/arguments/guest_arguments.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/guest/channel/messages.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/channel/turnstile.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/guest/loading/asked_judge.h"
#include "core/engine/guest/loading/load_built.h"
#include "core/engine/guest/orders.h"
#include "core/engine/guest/values.h"
#include "core/engine/profile/profiled_call.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/no_gradients.h"
#include "core/engine/reference/operator.h"
#include "core/engine/sides/bands/guard_bands.h"
#include "core/engine/sides/code_samples.h"
#include "core/engine/sides/operator_watch.h"
#include "core/engine/sides/process/constant_pages.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/suites/literals/literal_parser.h"

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

/// A call that is prepared, with the memory that its arguments lie in.
struct Prepared {
  std::unique_ptr<PreparedCall> call;
  std::vector<std::uint32_t> memory;
  Stack arguments;
};

class GuestEnd {
 public:
  GuestEnd(std::shared_ptr<SharedMemory> shared,
           const std::function<Compiler*(std::string_view)>& compilerFor)
      : shared_(std::move(shared)),
        turnstile_(*reinterpret_cast<Turnstile*>(shared_->data())),
        compilerFor_(compilerFor) {}

  int serve() {
    const NoGradients noGradients;
    for (std::uint32_t seen = 0;;) {
      waitForChange(turnstile_.orders, seen, looking);
      seen = turnstile_.orders.value.load(std::memory_order_acquire);
      if (turnstile_.kind == OrderKind::run) {
        run(turnstile_.number);
      } else if (turnstile_.kind == OrderKind::runWatched) {
        runWatched(turnstile_.number);
      } else if (turnstile_.kind == OrderKind::runSampled) {
        runSampled(turnstile_.number);
      } else if (turnstile_.kind == OrderKind::finish) {
        finish();
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
      done = order == Order::load         ? load(reader, writer)
             : order == Order::prepare    ? prepare(reader, message->descriptors, writer)
             : order == Order::makeInputs ? makeInputs(reader, writer)
             : isOfModel(order)           ? askModel(order, reader, writer)
             : order == Order::profile    ? profile(reader, writer)
             : order == Order::rest       ? rest(writer)
                                          : Result<void>();
      if (order == Order::sayWhatRan) write(writer, std::exchange(ran_, {}));
      if (order == Order::sayHotCode) write(writer, std::exchange(hotCode_, {}));
    } catch (...) {
      done = Error{Stage::check, exceptionText()};
    }
    if (!done) {
      answer.clear();
      writer.put(std::uint8_t{0});
      write(writer, done.error());
    }
    return sendMessage(guestSocket, answer, {}, Steady::now() + longestMessage).has_value();
  }

  Result<void> load(ByteReader& from, ByteWriter& to) {
    const LoadOrder order = readLoadOrder(from);
    calls_.clear();
    made_.clear();
    inputs_ = {};
    model_.reset();
    device_ = at::Device(order.device);
    if (device_.is_cuda()) WB_DO(enterDevice(device_.index()));
    compiler_ = compilerFor_(order.language);
    LoadedInGuest loaded;
    if (!order.object.empty()) {
      schema_ = torch::jit::parseSchema(order.schema);
      WB_TRY(candidate_, loadBuilt(order, *schema_));
      loaded.function = order.function;
    } else {
      if (compiler_ == nullptr)
        return Error{Stage::compile, "a kernel's own process knows no language " + order.language};
      const CompileRequest request{.source = order.source,
                                   .op = order.op,
                                   .schema = order.schema,
                                   .device = order.device,
                                   .deadlineSeconds = order.deadlineSeconds,
                                   .inputBytes = order.inputBytes,
                                   .part = order.part,
                                   .buildElsewhere = builtByJudge};
      WB_TRY(CompileOutcome outcome, compiler_->compile(request));
      candidate_ = std::move(outcome.candidate);
      if (outcome.reference) say(*std::move(outcome.reference), loaded);
      model_ = std::move(order.part == ProblemPart::reference ? outcome.models.reference
                                                              : outcome.models.candidate);
      if (order.part == ProblemPart::candidate) {
        schema_ = torch::jit::parseSchema(order.schema);
      } else {
        WB_TRY(const c10::OperatorHandle op, findOperator(order.op.empty() ? loaded.op : order.op));
        schema_ = op.schema();
      }
      loaded.toolchain = outcome.toolchain;
      loaded.note = outcome.note;
      if (!outcome.artifacts.empty()) loaded.function = outcome.artifacts.front().name;
    }
    write(to, loaded);
    return {};
  }

  /// Keeps what a problem's reference brings, and says it.
  void say(OwnReference reference, LoadedInGuest& loaded) {
    loaded.op = std::move(reference.op);
    loaded.schema = std::move(reference.schema);
    for (Case& each : reference.cases) loaded.calls.push_back(std::move(each.args));
    inputs_ = std::move(reference.inputs);
  }

  /// Makes a problem's own inputs, which stay until the next ones are asked for.
  Result<void> makeInputs(ByteReader& from, ByteWriter& to) {
    made_.clear();
    if (!inputs_) return Error{Stage::check, "no problem's reference is loaded"};
    WB_TRY(made_, inputs_(from.get<std::uint64_t>()));
    writeResults(to, made_);
    if (device_.is_cuda()) WB_DO(synchronize(Stage::check));
    return {};
  }

  static bool isOfModel(Order order) {
    return order == Order::rememberBuffers || order == Order::sayBuffers || order == Order::drawParameters;
  }

  Result<void> askModel(Order order, ByteReader& from, ByteWriter& to) {
    if (!model_) return Error{Stage::check, "no model that can be asked is loaded"};
    if (order == Order::rememberBuffers) model_->rememberBuffers();
    if (order == Order::sayBuffers) write(to, model_->buffers());
    if (order == Order::drawParameters) write(to, model_->drawParameters(from.get<std::uint64_t>()));
    return {};
  }

  /// Gives back what the kernel and its calls hold, and says whether it has left this process as it was.
  Result<void> rest(ByteWriter& to) {
    calls_.clear();
    made_.clear();
    inputs_ = {};
    model_.reset();
    candidate_.reset();
    memories_.clear();
    to.put(std::uint8_t{compiler_ == nullptr || compiler_->traces().patched.empty()});
    if (device_.is_cuda()) WB_DO(synchronize(Stage::check));
    return {};
  }

  Result<void> prepare(ByteReader& from, const std::vector<int>& descriptors, ByteWriter& to) {
    const PrepareOrder order = readPrepareOrder(from);
    for (const std::uint32_t each : order.dropped) calls_.erase(each);
    Prepared prepared;
    for (std::size_t i = 0, next = 0; i < order.memory.size(); ++i) {
      const MemoryUse& use = order.memory[i];
      if (use.isNew && next < descriptors.size()) {
        const auto map = use.onDevice ? mapDeviceMemory : SharedMemory::map;
        WB_TRY(memories_[use.number], map(descriptors[next++], use.size));
      }
      prepared.memory.push_back(use.number);
    }
    forgetMemory(prepared.memory);
    if (!candidate_ || !schema_) return Error{Stage::check, "no kernel is loaded"};
    if (device_.is_cpu()) constants_.makePresent();
    WB_TRY(const Literal spelling, parseLiteral(order.spelling));
    const Stack arguments = ArgumentReader(from, memories_, device_).read(order.arguments, *schema_);
    WB_TRY(prepared.call, candidate_->prepare({spelling, arguments}, {}));
    prepared.arguments = arguments;
    for (const std::uint32_t number : prepared.memory)
      to.put(reinterpret_cast<std::uint64_t>(memories_[number]->data()));
    to.text(std::string_view(prepared.call->notComparable()).substr(0, 1000));
    calls_[order.number] = std::move(prepared);
    return {};
  }

  /// Profiles a prepared call. What is said of it can be bent as all that this process says.
  Result<void> profile(ByteReader& from, ByteWriter& to) {
    const auto found = calls_.find(from.get<std::uint32_t>());
    const AskedProfile asked = readAskedProfile(from);
    if (found == calls_.end()) return Error{Stage::profile, "there is no such call"};
    if (!device_.is_cuda()) return Error{Stage::profile, "profiling needs a GPU"};
    ProfiledCall call{found->second.call.get(), restoring(*schema_, found->second.arguments)};
    const CounterConditions conditions{device_.str(), asked.device, asked.cacheBytes, asked.caches,
                                       asked.chip};
    WB_TRY(const std::vector<SideProfile> parts, profileCall(call, asked.plan, conditions));
    write(to, parts);
    return {};
  }

  /// Unmaps what neither a call nor the one under way uses; the judge counts in the same way.
  void forgetMemory(const std::vector<std::uint32_t>& used) {
    std::erase_if(memories_, [&](const auto& each) {
      const auto names = [&](const std::vector<std::uint32_t>& list) {
        return std::find(list.begin(), list.end(), each.first) != list.end();
      };
      return !names(used) && std::none_of(calls_.begin(), calls_.end(),
                                          [&](const auto& call) { return names(call.second.memory); });
    });
  }

  void run(std::uint32_t number) {
    answer_.clear();
    resultMemory_.clear();
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
    const OperatorWatch watch(schema_ ? schema_->name() : std::string());
    std::optional<GuardBands> bands;
    std::optional<GuardBands::InForce> guarded;
    // On a GPU a result is found by the memory that torch has asked the driver for.
    if (device_.is_cpu()) guarded.emplace(bands.emplace(std::random_device()()));
    const auto start = Steady::now();
    run(number);
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    guarded.reset();
    ran_.parts = watch.ran(seconds);
    ran_.beyond = bands ? beyondResults(bands->found()) : std::nullopt;
  }

  [[nodiscard]] std::optional<WrittenThere> beyondResults(const std::optional<WrittenBeyond>& beyond) const {
    if (!beyond) return std::nullopt;
    WrittenThere there{beyond->inFront, beyond->behind};
    const auto result = std::find(resultMemory_.begin(), resultMemory_.end(), beyond->data);
    if (result != resultMemory_.end()) there.result = result - resultMemory_.begin();
    return there;
  }

  /// Of the reference, which has no reason to bend this.
  void runSampled(std::uint32_t number) {
    const auto end = Steady::now() + longestSampled;
    const double began = workedSeconds();
    const auto goesOn = [&](double seconds) {
      return workedSeconds() - began < seconds && Steady::now() < end;
    };
    // To look makes a call longer, and so does its first run in a process.
    double shortest = longestCall;
    do {
      const double before = workedSeconds();
      run(number);
      shortest = std::min(shortest, workedSeconds() - before);
    } while (goesOn(sampledSeconds));
    // On a busy machine little but the waits of its threads for each other is seen where there are several.
    const OneThread alone;
    CodeSamples samples;
    do run(number);
    while (goesOn(3 * sampledSeconds));
    hotCode_ = hotCodeOf(samples.take(), shortest);
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
  }

  Result<void> answerOf(std::uint32_t number, ByteWriter& to) {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return Error{Stage::check, "there is no such call"};
    WB_DO(found->second.call->run());
    // What the results are is said within the time of the call, so that nothing can be made later.
    WB_TRY(const Stack results, found->second.call->outputs());
    to.put(std::uint8_t{1});
    writeResults(to, results);
    return {};
  }

  void writeResults(ByteWriter& to, const Stack& results) {
    to.put(static_cast<std::uint32_t>(results.size()));
    for (const c10::IValue& each : results)
      write(to, each, [this](ByteWriter& out, const at::Tensor& tensor) { writeResult(out, tensor); });
  }

  void writeResult(ByteWriter& to, const at::Tensor& tensor) {
    if (const std::string why = whyNotShared(tensor); !why.empty())
      throw std::runtime_error("the kernel returned a tensor that --strict cannot take: " + why);
    const void* const data = tensor.const_data_ptr();
    resultMemory_.push_back(tensor.storage().data());
    to.put(reinterpret_cast<std::uint64_t>(data));
    writeShape(to, tensor);
    if (!tensor.is_cuda()) return;
    const bool known =
        data == nullptr || std::any_of(memories_.begin(), memories_.end(),
                                       [&](const auto& each) { return each.second->holds(data); });
    const Result<DeviceSegment> segment = known ? DeviceSegment{} : segments_.of(data);
    if (!segment) throw std::runtime_error(segment.error().text);
    write(to, *segment);
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

  std::shared_ptr<SharedMemory> shared_;
  Turnstile& turnstile_;
  const std::function<Compiler*(std::string_view)>& compilerFor_;
  std::optional<c10::FunctionSchema> schema_;
  /// Of the language of the kernel that was loaded last; may be null.
  Compiler* compiler_ = nullptr;
  std::unique_ptr<Candidate> candidate_;
  /// Makes a problem's own inputs.
  std::function<Result<Stack>(std::uint64_t seed)> inputs_;
  /// The problem's model that is loaded here.
  std::shared_ptr<ProblemModel> model_;
  /// The last ones that it made.
  Stack made_;
  at::Device device_ = at::kCPU;
  Memories memories_;
  OwnSegments segments_;
  ConstantPages constants_;
  std::map<std::uint32_t, Prepared> calls_;
  /// What ran in the last watched call.
  RanThere ran_;
  /// In which code of torch's the last sampled call was.
  std::vector<HotCode> hotCode_;
  Bytes answer_;
  /// Where the memory of the last results begins.
  std::vector<const void*> resultMemory_;
};

int serveJudge(const std::function<Compiler*(std::string_view)>& compilerFor) {
  constexpr int noJudge = 3;
  Result<ReceivedMessage> first = receiveMessage(guestSocket, mostAsked, Steady::now() + longestMessage);
  if (!first || first->descriptors.size() != 1) return noJudge;
  auto shared = SharedMemory::map(first->descriptors.front(), slotsBegin + slotCount * slotBytes);
  if (!shared || !sendMessage(guestSocket, first->bytes, {}, Steady::now() + longestMessage)) return noJudge;
  // User code in Python may keep objects of ours to the end of the process.
  return (new GuestEnd(*std::move(shared), compilerFor))->serve();
}

}  // namespace

int serveGuests(const std::function<Compiler*(std::string_view)>& compilerFor,
                const std::function<void()>& begins) {
  return forkGuests([&] {
    if (begins) begins();
    return serveJudge(compilerFor);
  });
}

}  // namespace wb
