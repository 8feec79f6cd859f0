// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "core/engine/case_run.h"
#include "core/engine/check/check.h"
#include "core/engine/check/peer.h"
#include "core/engine/cuda/driver.h"
#include "core/engine/inputs.h"
#include "core/engine/like_backendbench.h"
#include "core/engine/oracle.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/seed.h"
#include "core/suites/literal_parser.h"

namespace wb {
namespace {

/// So many other inputs are tried when zeros would pass by chance, as for relu of one negative number.
constexpr std::uint64_t drawsBeforeVoid = 8;
constexpr std::int64_t elementsWorthDrawingAgain = 64;

constexpr std::uint64_t planDraw = 1000;  // draws of inputs of one case: 0 … for checking, this for planning

std::int64_t elements(const Stack& outputs) {
  std::int64_t count = 0;
  for (const c10::IValue& value : outputs)
    if (value.isTensor() && value.toTensor().defined()) count += value.toTensor().numel();
  return count;
}

/// What one attempt at a case came to; `couldNotFail` when zeros would have passed.
struct Attempt {
  CaseCheck check;
  bool couldNotFail = false;
  std::int64_t outputElements = 0;
};

Attempt ended(Verdict verdict, std::string message) {
  return {verdictOf(verdict, std::move(message)), false, 0};
}

Attempt attempt(const KernelContext& kernel, const Case& definition, const Literal& call,
                std::uint64_t seed) {
  const auto make = [&](std::uint64_t from) { return makeInputs(kernel, definition, call, from); };
  Result<Stack> arguments = make(seed);
  if (!arguments) return ended(Verdict::refused, withHint(arguments.error()));

  const auto referenceFailed = [](const Error& error) {
    return ended(Verdict::invalid, "the reference failed: " + withHint(error));
  };
  OutputPlan plan;
  {
    Result<Stack> other = make(mixSeeds(seed, planDraw));
    if (!other) return ended(Verdict::refused, withHint(other.error()));
    Result<OutputPlan> planned = planOutputs(kernel.op, *other);
    if (!planned) return referenceFailed(planned.error());
    plan = *std::move(planned);
  }

  const Stack given = cloneArguments(*arguments);
  Result<std::unique_ptr<PreparedCall>> candidate = kernel.candidate.prepare({call, given}, plan);
  if (!candidate) return ended(Verdict::refused, withHint(candidate.error()));
  (*candidate)->poisonOutputs();
  Result<Stack> actual = runAndWait(kernel, **candidate);
  if (!actual) return {failedRun(kernel, actual.error()), false, 0};
  const std::string changed = changedInputs(kernel, *arguments, given);

  const Stack own = kernel.mutableArguments.empty() ? *arguments : cloneArguments(*arguments);
  const std::unique_ptr<PreparedCall> reference = prepareReference(kernel.op, own);
  Result<Stack> expected = runAndWait(kernel, *reference);
  if (!expected) return referenceFailed(expected.error());
  for (const std::size_t position : kernel.mutableArguments) {
    actual->push_back(given[position]);
    expected->push_back(own[position]);
  }

  Attempt result{judge(kernel, *arguments, *actual, *expected), false, elements(*expected)};
  if (!changed.empty()) {
    result.check.verdict = Verdict::changedInput;
    result.check.message = changed;
  }
  result.couldNotFail = result.check.verdict == Verdict::pass && zerosPass(*expected, kernel.job.tolerance);
  return result;
}

CaseCheck checkFromSeed(const KernelContext& kernel, const Case& definition, const Literal& call,
                        std::uint64_t seed) {
  Attempt result;
  for (std::uint64_t draw = 0; draw < drawsBeforeVoid; ++draw) {
    result = attempt(kernel, definition, call, mixSeeds(seed, draw));
    if (!result.couldNotFail || result.outputElements > elementsWorthDrawingAgain) break;
  }
  if (result.couldNotFail) {
    result.check.verdict = Verdict::invalid;
    result.check.message = "zeros would pass too: this case tells nothing";
  }
  return result.check;
}

CaseCheck judgeAsPeer(const Stack& actual, const Stack& expected) {
  CaseCheck check = compareAsPeer(actual, expected);
  if (check.verdict != Verdict::wrongDevice) check.peer = peerErrors(actual, expected);
  return check;
}

}  // namespace

std::vector<std::size_t> mutableArguments(const c10::FunctionSchema& schema) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (alias && alias->isWrite()) positions.push_back(i);
  }
  return positions;
}

CaseCheck checkCase(const KernelContext& kernel, const Case& definition) {
  return checkCase(kernel, definition, mixSeeds(kernel.job.seed, definition.seed));
}

CaseCheck checkCase(const KernelContext& kernel, const Case& definition, std::uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  CaseCheck check;
  try {
    const Result<Literal> call = parseLiteral(definition.args);
    const auto checkCall = kernel.job.checking.likeBackendBench ? checkLikeBackendBench : checkFromSeed;
    check = call ? checkCall(kernel, definition, *call, seed)
                 : verdictOf(Verdict::refused, "malformed arguments: " + withHint(call.error()));
  } catch (...) {
    // Candidate and reference answer with values; what is thrown here comes from making inputs or comparing.
    check = failedRun(kernel, Error{Stage::check, exceptionText(), {}, {}});
    if (check.verdict == Verdict::threw)
      check = verdictOf(Verdict::refused, "could not be checked: " + check.message);
  }
  check.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return check;
}

CaseCheck judge(const KernelContext& kernel, const Stack& pristine, const Stack& actual,
                const Stack& expected) {
  const Tolerance& tolerance = kernel.job.tolerance;
  if (tolerance.preset == "backendbench") return judgeAsPeer(actual, expected);
  if (tolerance.preset == "strict")
    return compareOutputs(actual, expected, oracleOutputs(kernel, pristine), tolerance);
  CaseCheck check = compareOutputs(actual, expected, {}, tolerance);
  if (check.verdict != Verdict::mismatch || tolerance.preset != "torch") return check;
  const Stack oracle = oracleOutputs(kernel, pristine);
  return oracle.empty() ? check : compareOutputs(actual, expected, oracle, tolerance);
}

std::string changedInputs(const KernelContext& kernel, const Stack& before, const Stack& after) {
  std::vector<std::string> names;
  for (const std::size_t position : changedArguments(before, after)) {
    const auto& allowed = kernel.mutableArguments;
    if (std::find(allowed.begin(), allowed.end(), position) == allowed.end())
      names.push_back(fmt::format("'{}'", kernel.op.schema().arguments()[position].name()));
  }
  if (names.empty()) return {};
  return fmt::format("the kernel changed its input{} {}", names.size() == 1 ? "" : "s",
                     fmt::join(names, ", "));
}

CaseCheck failedRun(const KernelContext& kernel, const Error& error) {
  const bool lost = kernel.device != "cpu" && deviceBroken();
  CaseCheck check = verdictOf(lost ? Verdict::crashed : Verdict::threw, withHint(error));
  check.errorType = error.type;
  check.trace = error.trace;
  return check;
}

}  // namespace wb
