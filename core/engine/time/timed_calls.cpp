// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/timed_calls.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/worked_seconds.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/compare/check.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/device/driver.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/engine/sides/memory/allocated_sizes.h"
#include "core/engine/sides/process/generator_state.h"
#include "core/engine/time/clocks/graph_calls.h"
#include "core/engine/time/timed_sides.h"

namespace wb {
namespace {

/// How many answers are kept: as many as are cheap to compare, fewer of large ones.
constexpr std::int64_t mostAnswers = 16, mostRoughAnswers = 6, leastAnswers = 2,
                       keptBytes = std::int64_t{256} << 20;
/// Where an answer and its inputs take more than one part in so many of the memory, one is kept.
constexpr std::int64_t shareOfMemory = 16;
/// The reference's calls that they are compared with take so long together.
constexpr double comparedSeconds = 0.25;
/// New contents may take half as long as the call itself, and so many bytes in any case.
constexpr double shareOfCall = 0.5, freeBytes = 1 << 18;
/// On a GPU so many bytes in any case, since each call waits as long for the cache to be emptied, and more
/// where that takes no longer than a part of the call, too: of a product all is new that goes into it.
constexpr std::int64_t freeDeviceBytes = 64 << 20;
constexpr std::size_t enoughSets = 32;
/// On a GPU it is learned which arguments the reference changes where so many copies of them would find room.
constexpr std::int64_t copiesToLearn = 4;
/// One in so many samples is followed by one that ends before its time, as long as there were few.
constexpr std::uint64_t cutsOften = 4;
/// So many bytes of inputs are compared with what was written there after a chosen call.
constexpr std::int64_t bytesLookedAt = std::int64_t{4} << 20;

std::int64_t tensorsBytes(const Stack& values) {
  std::int64_t bytes = 0;
  for (const at::Tensor& tensor : planFrom(values).examples)
    if (tensor.defined()) bytes += static_cast<std::int64_t>(tensor.nbytes());
  return bytes;
}

/// Whether a reference may change arguments of which its schema does not say so: a problem's, which is
/// whatever its author wrote, and ATen's normalisations, which count along.
bool mayChangeArguments(const c10::OperatorHandle& op) {
  return isProblem(op) || op.schema().name().find("_norm") != std::string::npos;
}

}  // namespace

TimedCalls::TimedCalls(const KernelContext& kernel, Contents contents, std::uint64_t seed,
                       std::optional<SeenInCalls> known)
    : kernel_(kernel),
      contents_(std::move(contents)),
      random_(seed),
      turns_(kernel.turns),
      isRandom_(isRandom(kernel)),
      mutable_(kernel.mutableArguments),
      deviceRoom_(freeDeviceBytes),
      watched_(kernel, mixSeeds(seed, 1), std::move(known)) {}

Result<void> TimedCalls::learnSharing() {
  scratch_ = contents_.copy(random_());
  const bool onHost = kernel_.device == "cpu";
  double call = 0;
  std::int64_t results = 0;
  {
    const bool hasRoom = onHost || copiesToLearn * contents_.bytes() < freeMemory(kernel_.device);
    const bool mayChange = hasRoom && mayChangeArguments(kernel_.op);
    const Stack arguments =
        mutable_.empty() && !mayChange ? scratch_.arguments : cloneArguments(scratch_.arguments);
    const auto example = prepareReference(kernel_.op, arguments);
    // What others took of this thread's time on a busy machine does not count, or fewer answers would be
    // kept.
    const double before = workedSeconds();
    Result<void> ran;
    allocated_ = allocatedIn([&] { ran = runSeeingDraws(kernel_, [&] { return example->run(); }); });
    if (!ran) return ran;
    isRandom_ = isRandom(kernel_);
    call = workedSeconds() - before;
    WB_TRY(const Stack made, example->outputs());
    results = tensorsBytes(made);
    atensShared_ = sharedArguments({arguments, made});
    if (mayChange)
      for (const std::size_t each : changedArguments(scratch_.arguments, arguments))
        if (std::find(mutable_.begin(), mutable_.end(), each) == mutable_.end()) mutable_.push_back(each);
  }
  // On the host as much is done with the reference's answers.
  const std::int64_t bytes = (onHost ? 2 : 1) * (results + contents_.bytes());
  const auto byTime = static_cast<std::int64_t>(comparedSeconds / std::max(call, 1e-6));
  const std::int64_t room = std::min(keptBytes / std::max<std::int64_t>(bytes, 1), byTime);
  const bool isHuge = bytes > keptBytes && bytes > freeMemory(kernel_.device) / shareOfMemory;
  mostTogether_ = static_cast<std::size_t>(std::clamp(room, isHuge ? 1 : leastAnswers, mostAnswers));
  mostKept_ = std::min(
      mostTogether_, static_cast<std::size_t>(kernel_.job.timing.isRough() ? mostRoughAnswers : mostAnswers));
  return {};
}

Result<void> TimedCalls::learnPace() {
  const bool onHost = kernel_.device == "cpu";
  if (!onHost) WB_DO(synchronize(Stage::time));
  const double start = steadySeconds();
  contents_.renew(scratch_, random_(), random_(), std::numeric_limits<std::int64_t>::max());
  if (!onHost) WB_DO(synchronize(Stage::time));
  bytesPerSecond_ = static_cast<double>(contents_.bytes()) / std::max(steadySeconds() - start, 1e-9);
  return onHost || contents_.bytes() <= freeDeviceBytes ? Result<void>() : learnDeviceRoom();
}

/// The first call may set things up.
Result<void> TimedCalls::learnDeviceRoom() {
  double seconds = 0;
  for (int call = 0; call < 2; ++call) {
    const double start = steadySeconds();
    WB_DO(reference_.front()->run());
    WB_DO(synchronize(Stage::time));
    seconds = steadySeconds() - start;
  }
  deviceRoom_ = std::max(freeDeviceBytes,
                         static_cast<std::int64_t>(std::min(shareOfCall * seconds * bytesPerSecond_, 1e15)));
  return {};
}

/// What was given out of these lists stays where it is.
Result<void> TimedCalls::prepare(const Literal& call, const OutputPlan& plan, std::int64_t sets,
                                 const SetRoom& room) {
  call_ = call;
  plan_ = plan;
  room_ = room;
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(sets, mostGraphSets));
  sets_.reserve(most);
  candidate_.reserve(most);
  reference_.reserve(most);
  for (std::int64_t set = 0; set < sets; ++set) WB_DO(add());
  rotation_ = sets_.size();
  return {};
}

/// All of a set is there or nothing of it, since whoever wants more sets can go on without them.
Result<void> TimedCalls::add() {
  Set set;
  set.given = contents_.copy(random_());
  if (!mutable_.empty() || kernel_.timedReference != nullptr) set.own = contents_.copy(random_());
  WB_TRY(auto prepared, kernel_.candidate.prepare({call_, set.given.arguments}, plan_));
  if (const std::string why = prepared->notComparable(); !why.empty()) return Error{Stage::time, why};
  auto call = std::make_unique<Call>(std::move(prepared), Side::candidate, turns_,
                                     kernel_.device != "cpu" ? &watched_ : nullptr);
  set.candidate = call.get();
  WB_TRY(auto reference, referenceOf(set));
  candidate_.push_back(std::move(call));
  reference_.push_back(std::move(reference));
  sets_.push_back(std::move(set));
  return {};
}

/// The reference is wrapped like the candidate, so that both pay the same for it; a second time where the
/// candidate's state is kept apart.
Result<std::unique_ptr<PreparedCall>> TimedCalls::referenceOf(Set& set) {
  // The candidate could give a tensor that both have other strides, and be right all the same.
  const Stack arguments = set.own ? set.own->arguments : argumentsOverSameMemory(set.given.arguments);
  WB_TRY(auto own, timedReference(kernel_, {call_, arguments}, plan_));
  if (kernel_.states != nullptr) own = std::make_unique<Call>(std::move(own), Side::reference, turns_);
  auto call = std::make_unique<Call>(std::move(own), Side::reference, turns_);
  set.reference = call.get();
  return std::unique_ptr<PreparedCall>(std::move(call));
}

Sides TimedCalls::sides() {
  watched_.begin();
  Sides sides{reference_, candidate_};
  sides.enter = enterSide(kernel_);
  sides.counted = kernel_.counted;
  sides.areElsewhere = kernel_.timedReference != nullptr;
  sides.between = this;
  // An argument that is changed in place is put back between samples only, a generator's state is known there
  // only, and so are contents new there only: a kernel that met them a second time would know the answer.
  if (once() || renewsBefore() || rotation_ >= enoughSets) sides.mostCalls = static_cast<int>(rotation_);
  return sides;
}

/// Chooses a call of the side's last sample as one of `mostKept_` out of all: each so far is among them with
/// the same chance.
void TimedCalls::choose(bool candidate, int calls) {
  chosen_.reset();
  if (isCut_) {
    const bool isFull = !candidate || kept_.size() >= mostKept_;
    chosen_ =
        Chosen{isFull ? static_cast<std::size_t>(drawUnforeseen() % mostKept_) : kept_.size(), calls - 1};
    if (isRandom_ && candidate) chosen_->generator = generator_;
    return;
  }
  const std::uint64_t samples = ++samples_[candidate ? 1 : 0];
  const std::uint64_t place = samples <= mostKept_ ? samples - 1 : drawUnforeseen() % samples;
  if (place >= mostKept_) return;
  // The last one may be of a thread that is not done yet.
  const std::uint64_t drawn = drawUnforeseen();
  const int few = std::min(calls, static_cast<int>(rotation_));
  const int back = (drawn & 1) != 0 ? 0 : static_cast<int>((drawn >> 1) % static_cast<std::uint64_t>(few));
  chosen_ = Chosen{static_cast<std::size_t>(place), calls - 1 - back};
  if (!isRandom_ || !candidate) return;
  // The generator's state is known before the first call. The reference can repeat those that follow, but for
  // a device's graphs, and but for a kernel that draws the same numbers in another way than a problem's model
  // and leaves the generator in another state.
  if (kernel_.device != "cpu" || !isRandom(kernel_.op)) chosen_->call = 0;
  chosen_->generator = generator_;
}

/// Who could tell what is drawn next could have one long call work for many that follow.
void TimedCalls::drawAnew() {
  if (kernel_.states != nullptr) random_.seed(drawUnforeseen());
}

/// What nobody could know before, whatever of this process's memory he reads.
std::uint64_t TimedCalls::drawUnforeseen() {
  constexpr int half = 32;
  if (kernel_.states == nullptr) return random_();  // the kernel cannot read it
  return std::uint64_t{unforeseen_()} << half | unforeseen_();
}

/// Contents are new right before they are used. If they lay there earlier, one long call could work for many
/// that follow, and the median of all would not show it. The clock of a device has its own way (enqueueNew).
Result<void> TimedCalls::before(bool candidate, std::size_t first, int calls) {
  chosen_.reset();
  drawAnew();
  // A candidate that is fast because it reads what has changed alone must not have less to read for that.
  const std::size_t sets = std::min(static_cast<std::size_t>(calls), rotation_);
  stagedSets_ = 0;
  if (handsOver(sets)) {
    WB_DO(stage(candidate, first, sets));
  } else if (renewsBefore()) {
    renew(candidate, first, calls, roomFor(calls, std::max(lastSeconds_[0], lastSeconds_[1])));
  }
  if (candidate && isRandom_) generator_ = generatorState(kernel_.device);
  if (calls > 1) {
    for (std::size_t i = 0; i < sets; ++i) {
      Set& set = sets_[(first + i) % rotation_];
      (candidate ? set.candidate : set.reference)->late =
          contents_.lateChange(inputs(set, candidate), random_());
    }
  }
  makeMemoryPresent(calls);
  if (isLookedAt_) watched_.beginLookInSample();
  began_ = steadySeconds();
  return {};
}

/// In a process of its own a kernel comes nowhere near the clock, and its memory is looked into as soon as
/// that has stopped, which takes its time.
void TimedCalls::stopped(bool candidate, double seconds, const Moment& at) {
  if (kernel_.timedReference == nullptr) afterTheClock_.stopped(candidate, seconds, at, momentNow());
}

/// A candidate in a process of its own could go on with its work until it is held still, or for as long as it
/// keeps others from its memory.
Result<void> TimedCalls::ended(bool candidate, std::size_t first, int calls) {
  if (std::exchange(isLookedAt_, false)) watched_.endLookInSample();
  // What is done with a chosen call moves memory and caches about. On a GPU that is enqueued like all else.
  if (candidate || kernel_.device == "cpu") choose(candidate, calls);
  if (kernel_.timedReference == nullptr) return {};
  const std::size_t call = first + static_cast<std::size_t>(chosen_ ? chosen_->call : 0);
  const Set& set = sets_[call % rotation_];
  Call& of = candidate ? *set.candidate : *set.reference;
  if (chosen_) {
    WB_TRY(chosen_->results, of.outputs());
  } else if (CallElsewhere* const there = elsewhere(of); there != nullptr && kernel_.device == "cpu") {
    there->lookInside();
  }
  return {};
}

Result<void> TimedCalls::after(bool candidate, std::size_t first, int calls) {
  const Moment end = momentNow();
  afterTheClock_.left(candidate, end);
  const double seconds = end.at - began_;
  if (!std::exchange(isCut_, false)) lastSeconds_[candidate ? 1 : 0] = seconds;
  if (chosen_) {
    Set& set = sets_[(first + static_cast<std::size_t>(chosen_->call)) % rotation_];
    // Every call on this set has made its late change once.
    const auto sets = static_cast<int>(rotation_);
    LateChange late = (candidate ? set.candidate : set.reference)->late;
    late.times = calls / sets + (chosen_->call % sets < calls % sets ? 1 : 0);
    if (candidate) {
      WB_DO(keep(set, late, drawnBefore(first)));
      found(Verdict::changedInput, damaged(set, late));
    } else {
      WB_DO(pretend(set, late));
    }
  }
  chosen_.reset();
  Set& begun = sets_[first % rotation_];
  watched_.perhaps(candidate, candidate ? *begun.candidate : *begun.reference,
                   [&] { renewOne(candidate, begun); });
  // Of what is renewed before, only what was changed meanwhile is put back.
  renew(candidate, first, calls, renewsBefore() ? 0 : roomFor(calls, seconds));
  writeToLast(candidate, first, calls);
  return {};
}

/// In another sample like this one, of which nobody knows beforehand that it has no time, somebody looks at
/// what runs.
int TimedCalls::again(bool candidate, int calls) {
  isLookedAt_ = candidate && watched_.looksInNext();
  if (isLookedAt_ || calls == 1) return isLookedAt_ ? calls : 0;
  isCut_ = cutsNext(candidate);
  const auto fewer = static_cast<std::uint64_t>(calls - 1);
  return isCut_ ? 1 + static_cast<int>(drawUnforeseen() % fewer) : 0;
}

/// Of n samples some ln(n) are followed by one that ends before its time. Where the generator's state is
/// known before the first call alone, no later one can be compared.
bool TimedCalls::cutsNext(bool candidate) {
  if (isRandom_ && (kernel_.device != "cpu" || !isRandom(kernel_.op))) return false;
  const std::uint64_t every = std::max(cutsOften, samples_[candidate ? 1 : 0] / 2);
  return drawUnforeseen() % every == 0;
}

/// The results followed by the arguments that the operator may change: both are the answer. What a problem's
/// model changes of its inputs, as an activation that works in place does, is no result: a kernel may leave
/// it.
Stack TimedCalls::answer(const Stack& results, const InputCopy& inputs) const {
  Stack all = results;
  const auto& changed = isProblem(kernel_.op) ? kernel_.mutableArguments : mutable_;
  for (const std::size_t position : changed) all.push_back(inputs.arguments[position]);
  return all;
}

void TimedCalls::found(Verdict verdict, std::string message) {
  if (found_ || message.empty()) return;
  found_.emplace();
  found_->verdict = verdict;
  found_->message = std::move(message);
}

std::vector<TimedCalls::Drawn> TimedCalls::drawnBefore(std::size_t first) const {
  std::vector<Drawn> drawn;
  for (int i = 0; isRandom_ && i < chosen_->call; ++i) {
    const Set& set = sets_[(first + static_cast<std::size_t>(i)) % rotation_];
    drawn.push_back({set.given.seeds, set.candidate->late});
  }
  return drawn;
}

Result<void> TimedCalls::keep(Set& set, LateChange late, std::vector<Drawn> before) {
  Result<Stack> outputs = chosen_->results ? *std::move(chosen_->results) : set.candidate->outputs();
  if (!outputs) return std::move(outputs).error();
  const Stack results = *std::move(outputs);
  // Whoever asks such a tensor for anything may do the kernel's work.
  if (const std::string strange = strangeResult(results); !strange.empty())
    found(Verdict::mismatch, "expected a plain tensor, got " + strange);
  lookAtPages(results, true);
  lookAtMemory(results);
  // What makes room goes first, since an answer may take gigabytes.
  if (chosen_->place < kept_.size()) kept_[chosen_->place] = {};
  Kept kept;
  kept.before = std::move(before);
  kept.answer = cloneArguments(answer(results, set.given));
  if (kernel_.states != nullptr) kept.digest = digestOf(kept.answer);
  kept.seeds = set.given.seeds;
  kept.generator = chosen_->generator;
  kept.late = late;

  const CallResults mine{set.given.arguments, results};
  found(Verdict::changedInput, forbiddenAlias(kernel_.op.schema(), mine, atensShared_));
  found(Verdict::mismatch, missingAlias(kernel_.op.schema(), mine));
  if (chosen_->place < kept_.size())
    kept_[chosen_->place] = std::move(kept);
  else
    kept_.push_back(std::move(kept));
  return {};
}

/// Does with the reference's answer what is done with the candidate's, and nothing comes of it: else only
/// samples that follow the candidate's would find other memory free, and other bytes in the caches.
Result<void> TimedCalls::pretend(Set& set, const LateChange& late) {
  Result<Stack> results = chosen_->results ? *std::move(chosen_->results) : set.reference->outputs();
  if (!results) return std::move(results).error();
  lookAtPages(*results, false);
  const InputCopy& given = inputs(set, false);
  pretended_.resize(std::max(pretended_.size(), chosen_->place + 1));
  pretended_[chosen_->place] = {};
  pretended_[chosen_->place] = cloneArguments(answer(*results, given));
  if (kernel_.states != nullptr) (void)digestOf(pretended_[chosen_->place]);
  (void)contents_.damaged(given, scratch_, &late, mutable_, random_(), bytesLookedAt);
  return {};
}

std::string TimedCalls::damaged(const Set& set, const LateChange& late) {
  const std::string name = contents_.damaged(set.given, scratch_, &late, mutable_, random_(), bytesLookedAt);
  return name.empty() ? "" : "the kernel changed its input '" + name + "'";
}

void TimedCalls::forget(Set& set) {
  for (Call* call : {set.candidate, set.reference}) call->late = {}, call->ran = false;
}

Result<void> TimedCalls::enqueueNew(bool candidate, std::size_t number) {
  chosen_.reset();
  drawAnew();
  if (candidate && isRandom_) generator_ = generatorState(kernel_.device);
  Set& set = sets_[number];
  writeOnDevice(set, candidate);
  contents_.renew(inputs(set, candidate), random_(), random_(), deviceRoom_, {{}, mutable_});
  forget(set);
  return {};
}

Result<void> TimedCalls::enqueued(bool candidate, std::size_t number) {
  if (candidate) choose(candidate, 1);
  if (chosen_) WB_DO(keep(sets_[number], {}, {}));
  chosen_.reset();
  return {};
}

/// So many bytes of each set may be written for a sample that took so long.
std::int64_t TimedCalls::roomFor(int calls, double seconds) const {
  const std::size_t used = std::min(static_cast<std::size_t>(calls), rotation_);
  const double each = shareOfCall * seconds * bytesPerSecond_ / static_cast<double>(used);
  return static_cast<std::int64_t>(std::min(std::max(each, freeBytes), 1e15));
}

void TimedCalls::renew(bool candidate, std::size_t first, int calls, std::int64_t room) {
  const std::size_t used = std::min(static_cast<std::size_t>(calls), rotation_);
  const std::uint64_t shared = random_();
  for (std::size_t i = 0; i < used; ++i) {
    Set& set = sets_[(first + i) % rotation_];
    const LateChange late = (candidate ? set.candidate : set.reference)->late;
    contents_.renew(inputs(set, candidate), shared, random_(), room, {late, mutable_});
    forget(set);
  }
}

void TimedCalls::renewOne(bool candidate, Set& set) {
  contents_.renew(inputs(set, candidate), random_(), random_(), std::numeric_limits<std::int64_t>::max());
  forget(set);
}

}  // namespace wb
