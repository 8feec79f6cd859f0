// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/engine/case_attempt.h"
#include "core/engine/check_stage.h"
#include "core/engine/cuda/driver.h"
#include "core/engine/inputs.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/seed.h"
#include "core/suites/literal_parser.h"

namespace wb {
namespace {

constexpr std::int64_t fewestSets = 4, mostSets = 64;

/// A call that remembers whether it ran: not every set of a long rotation need have had its turn.
class TrackedCall : public PreparedCall {
 public:
  explicit TrackedCall(std::unique_ptr<PreparedCall> call) : call_(std::move(call)) {}
  Result<void> run() override {
    ran_ = true;
    return call_->run();
  }
  Result<Stack> outputs() override { return call_->outputs(); }
  void poisonOutputs() override { call_->poisonOutputs(); }
  [[nodiscard]] std::string notComparable() const override { return call_->notComparable(); }
  [[nodiscard]] bool ran() const { return ran_; }

 private:
  std::unique_ptr<PreparedCall> call_;
  bool ran_ = false;
};

/// The inputs that both sides are timed on.
struct Rotation {
  std::vector<Stack> given, own;  ///< the candidate's and the reference's arguments of each set
  std::vector<std::unique_ptr<PreparedCall>> candidate, reference;
  std::vector<const TrackedCall*> tracked;
};

/// Four sets, more while they fit twice the cache, fewer where memory would not hold both sides' copies.
std::int64_t setCount(std::int64_t bytesPerSet, std::int64_t cacheBytes, std::int64_t memoryBytes) {
  const std::int64_t bytes = std::max<std::int64_t>(bytesPerSet, 1);
  const std::int64_t wanted = std::clamp((2 * cacheBytes + bytes - 1) / bytes, fewestSets, mostSets);
  return std::clamp<std::int64_t>(memoryBytes / (4 * bytes), 1, wanted);
}

std::int64_t outputBytes(const OutputPlan& plan) {
  std::int64_t bytes = 0;
  for (const at::Tensor& example : plan.examples)
    if (example.defined()) bytes += static_cast<std::int64_t>(example.nbytes());
  return bytes;
}

/// An empty output is no work: a launch left out against a dispatch would read as a speedup.
bool nothingToDo(const OutputPlan& plan) {
  return !plan.examples.empty() &&
         std::all_of(plan.examples.begin(), plan.examples.end(),
                     [](const at::Tensor& example) { return example.defined() && example.numel() == 0; });
}

class CaseTimer {
 public:
  CaseTimer(const KernelContext& kernel, const Case& definition, Clock& clock, std::int64_t cacheBytes)
      : kernel_(kernel),
        definition_(definition),
        clock_(clock),
        cacheBytes_(cacheBytes),
        seed_(mixSeeds(kernel.secret, mixSeeds(kernel.job.seed, definition.seed))) {}

  TimeOutcome run();

 private:
  Result<void> prepare(const Literal& call);
  Result<Stack> arguments(const Literal& call, std::uint64_t set) const;
  TimeOutcome failed(const Error& error) const;
  std::optional<CaseCheck> recheck();
  CaseCheck recheckSet(std::size_t set);

  const KernelContext& kernel_;
  const Case& definition_;
  Clock& clock_;
  std::int64_t cacheBytes_;
  std::uint64_t seed_;
  Rotation rotation_;
  std::string note_;
};

Result<Stack> CaseTimer::arguments(const Literal& call, std::uint64_t set) const {
  return makeInputs(kernel_, definition_, call, mixSeeds(seed_, set));
}

Result<void> CaseTimer::prepare(const Literal& call) {
  Result<Stack> first = arguments(call, 0);
  if (!first) return std::move(first).error();
  const Result<OutputPlan> plan = planOutputs(kernel_.op, cloneArguments(*first));
  if (!plan) return plan.error();
  if (nothingToDo(*plan)) return Error{Stage::time, "nothing to time: every output is empty", {}, {}};
  const std::int64_t sets =
      setCount(tensorBytes(call) + outputBytes(*plan), cacheBytes_, 2 * kernel_.job.limits.tensorBytes);
  if (sets < fewestSets) note_ = fmt::format("only {} input sets: more would not fit into memory", sets);
  for (std::int64_t set = 0; set < sets; ++set) {
    Result<Stack> made = set == 0 ? std::move(first) : arguments(call, static_cast<std::uint64_t>(set));
    if (!made) return std::move(made).error();
    rotation_.given.push_back(cloneArguments(*made));
    rotation_.own.push_back(*std::move(made));
    Result<std::unique_ptr<PreparedCall>> prepared =
        kernel_.candidate.prepare({call, rotation_.given.back()}, *plan);
    if (!prepared) return std::move(prepared).error();
    if (const std::string why = (*prepared)->notComparable(); !why.empty())
      return Error{Stage::time, why, {}, {}};
    auto tracked = std::make_unique<TrackedCall>(*std::move(prepared));
    rotation_.tracked.push_back(tracked.get());
    rotation_.candidate.push_back(std::move(tracked));
    // Wrapped as the candidate's, so that both pay the same for it.
    rotation_.reference.push_back(
        std::make_unique<TrackedCall>(prepareReference(kernel_.op, rotation_.own.back())));
  }
  return {};
}

TimeOutcome CaseTimer::failed(const Error& error) const {
  TimeOutcome outcome;
  outcome.reason = describe(error);
  const CaseCheck lost = failedRun(kernel_, error);
  if (lost.verdict == Verdict::crashed) outcome.recheck = lost;
  return outcome;
}

CaseCheck CaseTimer::recheckSet(std::size_t set) {
  CaseCheck check;
  PreparedCall& reference = *rotation_.reference[set];
  Result<void> done = reference.run();
  if (done && kernel_.device != "cpu") done = synchronize(Stage::time);
  Result<Stack> actual = rotation_.candidate[set]->outputs();
  Result<Stack> expected = reference.outputs();
  if (!done || !actual || !expected) {
    check.verdict = Verdict::threw;
    check.message = !done ? done.error().text : !actual ? actual.error().text : expected.error().text;
    return check;
  }
  const std::string changed = changedInputs(kernel_, rotation_.own[set], rotation_.given[set]);
  check = judge(kernel_, rotation_.own[set], *actual, *expected);
  if (changed.empty()) return check;
  check.verdict = Verdict::changedInput;
  check.message = changed;
  return check;
}

std::optional<CaseCheck> CaseTimer::recheck() {
  const auto wrong = [](CaseCheck check) -> std::optional<CaseCheck> {
    if (check.verdict == Verdict::pass || check.verdict == Verdict::invalid) return std::nullopt;
    check.message = "right when checked, wrong on the timed inputs: " + check.message;
    return check;
  };
  // Run again and again, an in-place operator has moved its inputs far from where they began: fresh ones.
  // And random operators are right from one state of the generator only.
  if (!kernel_.mutableArguments.empty() || isRandom(kernel_.op))
    return wrong(checkCase(kernel_, definition_, mixSeeds(seed_, 1)));
  for (std::size_t set = 0; set < rotation_.candidate.size(); ++set) {
    if (!rotation_.tracked[set]->ran()) continue;
    if (std::optional<CaseCheck> found = wrong(recheckSet(set))) return found;
  }
  return std::nullopt;
}

TimeOutcome CaseTimer::run() {
  const Result<Literal> call = parseLiteral(definition_.args);
  if (!call) return failed(call.error());
  if (Result<void> ready = prepare(*call); !ready) return failed(ready.error());
  TimeOutcome outcome;
  Result<CaseTiming> timing =
      timeCase(rotation_.reference, rotation_.candidate, clock_, kernel_.job.timing, seed_, kernel_.stop);
  if (!timing) return failed(timing.error());
  if (std::optional<CaseCheck> found = recheck()) {
    outcome.reason = "differs on the timed inputs";
    outcome.recheck = std::move(found);
    return outcome;
  }
  if (!note_.empty()) timing->note += timing->note.empty() ? note_ : "; " + note_;
  outcome.timing = *std::move(timing);
  return outcome;
}

}  // namespace

TimeOutcome timeOneCase(const KernelContext& kernel, const Case& definition, Clock& clock,
                        std::int64_t cacheBytes) {
  try {
    return CaseTimer(kernel, definition, clock, cacheBytes).run();
  } catch (...) {
    TimeOutcome outcome;
    outcome.reason = exceptionText();
    const CaseCheck lost = failedRun(kernel, Error{Stage::time, outcome.reason, {}, {}});
    if (lost.verdict == Verdict::crashed) outcome.recheck = lost;
    return outcome;
  }
}

}  // namespace wb
