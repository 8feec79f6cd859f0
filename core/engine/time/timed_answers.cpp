// SPDX-License-Identifier: Apache-2.0
// What comes of the answers that were kept while calls were timed.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/worked_seconds.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/judgement.h"
#include "core/engine/check/same_answers.h"
#include "core/engine/device/driver.h"
#include "core/engine/sides/process/generator_state.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/engine/time/timed_calls.h"

namespace wb {
namespace {

/// So many bytes of inputs are compared with what was written there.
constexpr std::int64_t bytesLookedAtLast = std::int64_t{64} << 20;
/// Answers to no more bytes of inputs are compared by one thread.
constexpr std::int64_t comparedAlone = std::int64_t{16} << 20;
/// Fewer answers are compared one by one.
constexpr std::size_t worthJoining = 2;
/// So many answers are judged with all care, and more of them for so long.
constexpr std::size_t judgedAnyway = 6;
constexpr double judgedSeconds = 2;

}  // namespace

/// Where a clock takes its samples without a pause in which contents could change, the last answers are those
/// to what the sets hold.
void TimedCalls::keepLastAnswers() {
  if (once()) return;
  for (const Set& set : sets_) {
    if (!set.candidate->ran) continue;
    Result<Stack> results = set.candidate->outputs();
    if (!results) return found(Verdict::threw, results.error().text);
    kept_.push_back(
        {set.given.seeds, {}, *std::move(results), {}, {}, set.own ? nullptr : set.reference, {}});
  }
}

bool TimedCalls::lookedThroughout() const {
  const bool ranSince =
      std::any_of(sets_.begin(), sets_.end(), [](const Set& set) { return set.candidate->ran; });
  return !kept_.empty() && !(once() && ranSince);
}

std::string TimedCalls::damagedSet() {
  const std::int64_t each =
      bytesLookedAtLast / static_cast<std::int64_t>(std::max<std::size_t>(1, sets_.size()));
  // Each look waits for a device.
  const std::size_t step = kernel_.device == "cpu" ? 1 : (sets_.size() + 7) / 8;
  for (std::size_t i = random_() % step; i < sets_.size(); i += step) {
    const Set& set = sets_[i];
    const std::string name = contents_.damaged(set.given, scratch_, nullptr, mutable_, random_(), each);
    if (!name.empty()) return "the kernel changed its input '" + name + "'";
  }
  return {};
}

/// What the reference makes of the same contents, written to `inputs`.
Result<Stack> TimedCalls::expected(const Kept& kept, InputCopy& inputs) const {
  if (kept.reference != nullptr) {
    WB_DO(kept.reference->run());
    return kept.reference->outputs();
  }
  const SideTurn turn(kernel_.turns, Side::reference);
  if (kept.generator.defined()) setGeneratorState(kernel_.device, kept.generator);
  for (const Drawn& each : kept.before) {
    if (kernel_.timedReference != nullptr) {
      passOverCall();
      continue;
    }
    contents_.repeat(each.seeds, inputs);
    contents_.apply(each.late, inputs);
    WB_DO(prepareReference(kernel_.op, inputs.arguments)->run());
  }
  contents_.repeat(kept.seeds, inputs);
  contents_.apply(kept.late, inputs);
  const auto call = prepareReference(kernel_.op, inputs.arguments);
  WB_DO(call->run());
  WB_TRY(const Stack results, call->outputs());
  return answer(results, inputs);
}

/// Compares several at once: one by one, a device would take more time than timing them did.
bool TimedCalls::allRight(std::size_t from, std::size_t to) {
  if (laysOutView(kernel_.op)) return false;
  if (kernel_.device != "cpu") {
    std::vector<Stack> kept;
    for (std::size_t i = from; i < to; ++i) kept.push_back(kept_[i].answer);
    if (areTooMany(kept)) return false;
  }
  std::vector<InputCopy> inputs;
  std::vector<Stack> actual, wanted;
  // One turn for all, since each has to be told.
  std::optional<SideTurn> turn(std::in_place, kernel_.turns, Side::reference);
  for (std::size_t i = from; i < to; ++i) {
    // On the host each has its turn in the same memory: fresh memory costs more than the contents.
    const bool isScratch = kernel_.device == "cpu" && mutable_.empty();
    if (!isScratch) inputs.push_back(kept_[i].reference == nullptr ? contents_.blank() : InputCopy{});
    Result<Stack> reference = expected(kept_[i], isScratch ? scratch_ : inputs.back());
    if (!reference) return false;
    wanted.push_back(*std::move(reference));
    actual.push_back(kept_[i].answer);
  }
  if (kernel_.device != "cpu" && !synchronize(Stage::time)) return false;
  turn.reset();
  return surelyClose(actual, wanted, kernel_.tolerance());
}

CaseCheck TimedCalls::judged(const Kept& kept) {
  // Where inputs are gigabytes, the device has no room for further ones.
  const bool isScratch = mutable_.empty();
  InputCopy own = isScratch ? InputCopy{} : contents_.blank();
  InputCopy& inputs = isScratch ? scratch_ : own;
  Result<Stack> reference = expected(kept, inputs);
  if (reference && kernel_.device != "cpu")
    if (Result<void> done = synchronize(Stage::time); !done) reference = done.error();
  if (!reference) {
    CaseCheck check;
    check.verdict = Verdict::invalid;
    check.message = reference.error().text;
    return check;
  }
  if (!isScratch) own = contents_.blank();
  InputCopy& pristine = isScratch ? scratch_ : own;
  contents_.repeat(kept.seeds, pristine);
  contents_.apply(kept.late, pristine);
  return judge(kernel_, pristine.arguments, kept.answer, *reference,
               isRandom_ ? OracleUse::never : OracleUse::whereNeeded);
}

/// What rounds at other places may need seconds of thought for each answer. The one that is furthest off
/// comes first: where the worst are right, so are those that are less off.
void TimedCalls::judgeDoubtful(const std::vector<std::size_t>& doubtful) {
  std::vector<std::pair<double, std::size_t>> worstFirst;
  for (const std::size_t i : doubtful) {
    double off = std::numeric_limits<double>::infinity();
    if (doubtful.size() > judgedAnyway) {
      InputCopy own = mutable_.empty() ? InputCopy{} : contents_.blank();
      const Result<Stack> reference = expected(kept_[i], mutable_.empty() ? scratch_ : own);
      if (reference) off = furthestOff(kept_[i].answer, *reference, kernel_.tolerance());
    }
    worstFirst.emplace_back(off, i);
  }
  std::stable_sort(worstFirst.begin(), worstFirst.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const double start = steadySeconds();
  for (std::size_t number = 0; number < worstFirst.size() && !found_; ++number) {
    const auto [off, i] = worstFirst[number];
    if (number >= judgedAnyway && std::isfinite(off) && steadySeconds() - start > judgedSeconds) break;
    CaseCheck check = judged(kept_[i]);
    if (check.verdict != Verdict::pass && check.verdict != Verdict::invalid) found_ = std::move(check);
  }
}

std::optional<CaseCheck> TimedCalls::wrong() {
  found(Verdict::mismatch, memoryTwice());
  const at::Tensor generator = isRandom_ ? generatorState(kernel_.device) : at::Tensor();
  found(Verdict::changedInput, damagedSet());
  // A kernel that finds the copy of its answer could work for that one alone.
  for (const Kept& each : kept_)
    if (each.digest && !areSame(*each.digest, digestOf(each.answer)))
      found(Verdict::tampered,
            "the kernel changes answers that Warpbench has kept: no verdict on it can be "
            "believed");
  keepLastAnswers();
  // On a busy machine many threads wait long for each other over little work.
  std::optional<OneThread> alone;
  if (kernel_.device == "cpu" && contents_.bytes() <= comparedAlone) alone.emplace();
  const bool isApart = kernel_.device == "cpu" || mostTogether_ <= worthJoining;
  const std::size_t together = isApart ? 1 : mostTogether_;
  std::vector<std::size_t> doubtful;
  for (std::size_t from = 0; from < kept_.size(); from += together) {
    const std::size_t to = std::min(kept_.size(), from + together);
    if (allRight(from, to)) continue;
    for (std::size_t i = from; i < to; ++i) doubtful.push_back(i);
  }
  judgeDoubtful(doubtful);
  if (generator.defined()) setGeneratorState(kernel_.device, generator);
  return found_;
}

}  // namespace wb
