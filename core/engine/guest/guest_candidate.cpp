// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_candidate.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/base/process/mapped_parts.h"
#include "core/base/quantity.h"
#include "core/engine/call_elsewhere.h"
#include "core/engine/device/driver.h"
#include "core/engine/guest/arguments/shared_arguments.h"
#include "core/engine/guest/guest_result.h"
#include "core/engine/guest/guest_walls.h"
#include "core/engine/guest/values.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/sides/full_precision.h"
#include "core/engine/sides/process/generator_state.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// The state of torch's generator, as bytes.
class Generator {
 public:
  Generator() : generator_(at::detail::getDefaultCPUGenerator()) {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  [[nodiscard]] std::span<const std::byte> state() const {
    return {static_cast<const std::byte*>(state_.const_data_ptr()), state_.nbytes()};
  }

 private:
  at::Generator generator_;
  at::Tensor state_;
};

class GuestCall final : public PreparedCall, public CallElsewhere {
 public:
  GuestCall(std::shared_ptr<GuestSession> session, std::shared_ptr<Guest> guest, std::uint32_t number,
            ResultPlaces places, std::string notComparable, bool random)
      : session_(std::move(session)),
        guest_(std::move(guest)),
        number_(number),
        places_(std::move(places)),
        notComparable_(std::move(notComparable)),
        random_(random) {}
  GuestCall(const GuestCall&) = delete;
  GuestCall& operator=(const GuestCall&) = delete;
  ~GuestCall() override { session_->drop(*guest_, number_); }

  Result<void> run() override {
    if (guest_->awake()) return runAwake();
    // What this process has written to the GPU's memory has to be there first.
    if (!places_.device.is_cpu()) WB_DO(synchronize(Stage::check));
    WB_DO(guest_->wake());
    Result<void> done = runAwake();
    if (done) done = guest_->finish();
    guest_->holdStill();
    return done;
  }

  /// They are copied before the guest is held still, since that takes longer than many a call does: what is
  /// not there now is no answer.
  Result<Stack> outputs() override {
    WB_DO(guest_->finish());
    WB_TRY(const Bytes answer, guest_->answerOf(number_));
    own_.clear();
    ResultPieces pieces;
    Result<Stack> results = resultsIn(answer, own_, pieces);
    if (!pieces.empty()) guest_->noteLook(pieces.seconds());
    guest_->holdStill();
    if (results && pieces.differ())
      return Error{Stage::check, "the result was still being written when the call had returned"};
    hasFreshResults_ = static_cast<bool>(results);
    if (!results || own_.empty() || guest_->isClosed()) return results;
    if (cannotWrite_) return Error{Stage::check, notWritable};
    const std::vector<MappedPart> parts = mappedParts(guest_->pid());
    if (liesInMemoryOfOurs(parts))
      return Error{Stage::check,
                   "the result lies in an argument's memory, which the kernel has mapped a second time"};
    if (std::any_of(own_.begin(), own_.end(), [&](const OwnMemory& each) {
          return liesTwice(parts, each.begin, each.begin + each.bytes);
        }))
      return Error{Stage::check, "the result has the same memory at several places"};
    return results;
  }

  [[nodiscard]] std::string notComparable() const override { return notComparable_; }

  [[nodiscard]] bool sharesResults(const PreparedCall& other) const override {
    const auto* const before = dynamic_cast<const GuestCall*>(&other);
    if (before == nullptr || before->guest_ != guest_) return false;
    return std::any_of(own_.begin(), own_.end(), [&](const OwnMemory& mine) {
      return std::any_of(before->own_.begin(), before->own_.end(), [&](const OwnMemory& theirs) {
        return mine.begin < theirs.begin + theirs.bytes && theirs.begin < mine.begin + mine.bytes;
      });
    });
  }

  [[nodiscard]] bool hasOwnResults() const override { return !own_.empty(); }

  void lookInside() override {
    if (guest_->isClosed()) return;
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t last = !own_.empty()             ? own_.front().begin
                               : !places_.memory.empty() ? places_.memory.front().guestAddress
                                                         : 0;
    std::byte seen{};
    const std::vector<Guest::Place> places(ResultPieces::count, {last, {&seen, 1}});
    static_cast<void>(guest_->readEach(places));
    guest_->noteLook(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  void writeToResults(std::uint64_t seed) override {
    if (!std::exchange(hasFreshResults_, false) || guest_->isClosed()) return;
    std::mt19937_64 random(seed);
    for (const OwnMemory& each : own_) {
      if (!each.isDense || each.bytes < sizeof(std::uint64_t)) continue;
      std::uint64_t junk = random();
      const std::uint64_t at = random() % (each.bytes - sizeof junk + 1);
      const Guest::Place place{each.begin + at, {reinterpret_cast<std::byte*>(&junk), sizeof junk}};
      // Memory of a GPU can be written to. Where its driver does not let this process, nothing is known.
      if (each.segment)
        (void)guest_->write(*each.segment, place);
      else if (!guest_->write(place))
        cannotWrite_ = true;
    }
  }

  void watchNext() override { next_.kind = OrderKind::runWatched; }

  [[nodiscard]] RanThere ranThere() override {
    Result<RanThere> ran = guest_->ranThere();
    return ran ? *std::move(ran) : RanThere();
  }

  Result<std::vector<SideProfile>> profileThere(const AskedProfile& asked) override {
    Bytes message;
    ByteWriter writer(message);
    writer.put(Order::profile);
    writer.put(number_);
    write(writer, asked);
    WB_TRY(const Bytes answer, guest_->ask(message));
    ByteReader reader(answer);
    if (reader.get<std::uint8_t>() != 1) return readError(reader);
    return readProfile(reader);
  }

  void sampleNext() override { next_.kind = OrderKind::runSampled; }

  [[nodiscard]] std::vector<HotCode> hotCodeThere() override {
    Result<std::vector<HotCode>> code = guest_->hotCode();
    return code ? *std::move(code) : std::vector<HotCode>();
  }

  void trapNext(std::vector<HotCode> code) override {
    for (const HotCode& each : code) next_.traps.push_back(each.place);
  }

  [[nodiscard]] std::optional<std::set<std::uint64_t>> reachedThere() const override {
    return guest_->reached();
  }

 private:
  /// The system knows whose memory it is, whatever address it has.
  [[nodiscard]] bool liesInMemoryOfOurs(const std::vector<MappedPart>& parts) const {
    std::vector<std::optional<MappedFile>> ours;
    for (const ResultPlaces::Memory& each : places_.memory)
      if (!each.memory->isOnDevice()) ours.push_back(mappedFileOf(each.memory->descriptor()));
    return std::any_of(own_.begin(), own_.end(), [&](const OwnMemory& result) {
      return std::any_of(parts.begin(), parts.end(), [&](const MappedPart& part) {
        return result.begin < part.end && part.begin < result.begin + result.bytes &&
               std::find(ours.begin(), ours.end(), part.file) != ours.end();
      });
    });
  }
  [[nodiscard]] Result<Stack> resultsIn(const Bytes& answer, std::vector<OwnMemory>& own,
                                        ResultPieces& pieces) const {
    ByteReader reader(answer);
    if (reader.get<std::uint8_t>() == 1)
      return readResults(reader, places_, *guest_, &own, guest_->isClosed() ? nullptr : &pieces);
    Error error = withWalls(readError(reader));
    if (error.text.empty()) error.text = "the kernel's process says nothing of its result";
    return error;
  }
  Result<void> runAwake() {
    hasFreshResults_ = false;
    const RunOrder order = std::exchange(next_, {});
    if (!random_) {
      WB_DO(guest_->run(number_, {}, order));
    } else {
      Generator generator;
      WB_DO(guest_->run(number_, generator.state(), order));
      passOverCall();
    }
    return {};
  }

  std::shared_ptr<GuestSession> session_;
  std::shared_ptr<Guest> guest_;
  std::uint32_t number_;
  ResultPlaces places_;
  std::string notComparable_;
  /// Where its last results lie, but for those in the memory of arguments.
  std::vector<OwnMemory> own_;
  /// They are those of the last run.
  bool hasFreshResults_ = false;
  /// Results that were given before were no memory that can be written to.
  bool cannotWrite_ = false;
  bool random_;
  RunOrder next_;
};

class GuestCandidate final : public Candidate {
 public:
  GuestCandidate(std::shared_ptr<GuestSession> session, bool random)
      : session_(std::move(session)), random_(random) {}

  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall& call, const OutputPlan& plan) override {
    try {
      return prepared(call, plan);
    } catch (...) {
      return Error{Stage::check, exceptionText()};
    }
  }

 private:
  Result<std::unique_ptr<PreparedCall>> prepared(const BoundCall& call, const OutputPlan& plan) {
    WB_TRY(const std::shared_ptr<Guest> guest, session_->guest());
    if (random_ && !session_->device().is_cpu())
      return Error{Stage::check, "--strict does not judge operators that draw on a GPU"};
    WB_TRY(const auto memory, shareArguments(call.arguments, session_->room()));
    PrepareOrder order;
    order.dropped = session_->takeDropped();
    const auto number = session_->newCall(memory);
    if (!number) return Error{Stage::check, "too many calls are prepared at a time"};
    order.number = *number;
    order.spelling = print(call.spelling);
    std::vector<int> descriptors;
    order.memory = session_->tell(memory, descriptors);
    order.arguments = static_cast<std::uint32_t>(call.arguments.size());
    order.fullPrecision = FullPrecision::isInForce();
    Bytes message;
    ByteWriter writer(message);
    writer.put(Order::prepare);
    write(writer, order);
    writeArguments(writer, call.arguments);
    Result<Bytes> answer = guest->ask(message, descriptors);
    ByteReader reader(answer ? std::span<const std::byte>(*answer) : std::span<const std::byte>());
    Result<void> done;
    if (!answer)
      done = answer.error();
    else if (reader.get<std::uint8_t>() != 1)
      done = withWalls(readError(reader));
    if (!done) {
      session_->untell(order.memory);
      session_->drop(*guest, *number);
      return std::move(done).error();
    }
    ResultPlaces places;
    places.arguments = call.arguments;
    places.device = session_->device();
    for (const auto& each : memory) places.memory.push_back({each, reader.get<std::uint64_t>()});
    places.mostBytes = mostBytes(plan);
    std::string notComparable = reader.text(1000);
    return std::make_unique<GuestCall>(session_, guest, *number, std::move(places), std::move(notComparable),
                                       random_);
  }

  std::shared_ptr<GuestSession> session_;
  bool random_;
};

}  // namespace

std::unique_ptr<Candidate> guestCandidate(std::shared_ptr<GuestSession> session, bool random) {
  return std::make_unique<GuestCandidate>(std::move(session), random);
}

}  // namespace wb
