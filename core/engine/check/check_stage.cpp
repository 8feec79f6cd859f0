// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/check_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/worked_seconds.h"
#include "core/engine/check/case_attempt.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/compare/check.h"
#include "core/engine/check/compare/equal_choices.h"
#include "core/engine/check/further/further_questions.h"
#include "core/engine/check/judgement.h"
#include "core/engine/check/like_backendbench.h"
#include "core/engine/check/oracle.h"
#include "core/engine/check/peer.h"
#include "core/engine/device/driver.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/seed.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// How many other inputs are tried when a trivial answer may have passed by chance, as zeros do for relu of
/// one negative number.
constexpr std::uint64_t drawsBeforeVoid = 8;
constexpr std::int64_t elementsWorthDrawingAgain = 64;

/// Where comparing takes longer than this, the further calls of the reference that measure the rounding would
/// reach the case's deadline.
/// On a GPU those calls take little beside the comparison, and other processes on it make that longer.
constexpr double longestForRoom = 2, longestForRoomThere = 8;

/// Draws again as long as one and the same trivial answer passes every draw. Stored values cannot be drawn.
void drawAgain(const KernelContext& kernel, const Case& definition, const Literal& call, std::uint64_t seed,
               CaseAttempt& attempt) {
  if (definition.values.starts_with("stored:") || attempt.outputElements > elementsWorthDrawingAgain) return;
  for (std::uint64_t draw = 1; draw < drawsBeforeVoid && !attempt.others.all.empty(); ++draw) {
    CaseAttempt again = attemptCase(kernel, definition, call, mixSeeds(seed, draw), /*repeat=*/false);
    if (again.check.verdict == Verdict::invalid) return;
    if (again.check.verdict != Verdict::pass) {
      attempt = std::move(again);
      return;
    }
    std::erase_if(attempt.others.all, [&](const std::string& answer) {
      return std::find(again.others.all.begin(), again.others.all.end(), answer) == again.others.all.end();
    });
  }
}

CaseCheck checkFromSeed(const KernelContext& kernel, const Case& definition, const Literal& call,
                        std::uint64_t seed) {
  const Checking& checking = kernel.job.checking;
  CaseAttempt attempt = attemptCase(kernel, definition, call, mixSeeds(seed, 0), checking.repeat);
  drawAgain(kernel, definition, call, seed, attempt);
  CaseCheck check = std::move(attempt.check);
  if (attempt.others.all.empty() || check.verdict != Verdict::pass) return check;
  check.trivial = fmt::format("{}", fmt::join(attempt.others.all, ", "));
  const std::string remark =
      (attempt.others.neverNegative ? "inputs are never negative: " : "") + check.trivial + " would pass too";
  // A problem's own inputs are what the user asked for: the case counts, and says what it cannot tell.
  if (checking.scoreTrivial || definition.values == "own") {
    check.message += check.message.empty() ? remark : "; " + remark;
  } else {
    check.verdict = Verdict::invalid;
    check.message = remark + ": this case tells nothing";
  }
  return check;
}

/// Keeps which elements are wrong, for as many failing cases as that is told of.
void tellElements(Judgement& judgement) {
  const KernelContext& kernel = judgement.kernel;
  if (judgement.check.verdict != Verdict::mismatch || !kernel.tellingCases || *kernel.tellingCases <= 0)
    return;
  if (std::optional<WrongElements> wrong =
          wrongElements(judgement.actual, judgement.expected, judgement.oracle, kernel.tolerance()))
    judgement.check.wrong.emplace(*std::move(wrong));
}

void judgeAsPeer(Judgement& judgement) {
  judgement.check = compareAsPeer(judgement.actual, judgement.expected);
  if (judgement.check.verdict != Verdict::wrongDevice)
    judgement.check.peer = peerErrors(judgement.actual, judgement.expected);
}

/// Whether the reference runs on this thread, and not on a GPU or in a process of its own.
bool isOnThisThread(const KernelContext& kernel) {
  return kernel.device == "cpu" && (kernel.timedReference == nullptr || !isProblem(kernel.op));
}

/// A clock for what comparing takes. Where the reference runs on this thread, the time that others take from
/// it on a busy machine does not count, or a verdict would depend on them.
double secondsFor(const KernelContext& kernel) {
  if (isOnThisThread(kernel)) return workedSeconds();
  return steadySeconds();
}

/// Judges by the job's rule, which is not BackendBench's.
void judgeByRule(Judgement& judgement, OracleUse use) {
  const Tolerance tolerance = judgement.kernel.tolerance();
  const bool strict = tolerance.preset == "strict";
  const double start = secondsFor(judgement.kernel);
  const auto ask = [&] { judgement.oracle = oracleOutputs(judgement.kernel, judgement.pristine); };
  const auto compare = [&] {
    judgement.check = compareOutputs(judgement.actual, judgement.expected, judgement.oracle, tolerance);
  };
  const bool asked = use != OracleUse::never && (use == OracleUse::always || strict);
  if (asked) ask();
  compare();
  if (use == OracleUse::never || tolerance.preset != "torch") return;
  const bool isMismatch = judgement.check.verdict == Verdict::mismatch && judgement.check.errors;
  if (isMismatch && !isGrosslyOff(judgement.check, judgement.expected)) {
    if (!asked) ask();
    if (!asked && !judgement.oracle.empty()) compare();
    const double longest = isOnThisThread(judgement.kernel) ? longestForRoom : longestForRoomThere;
    if (secondsFor(judgement.kernel) - start < longest) giveRoom(judgement);
  }
  if (judgement.check.verdict == Verdict::pass) tellFromLowerType(judgement);
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

namespace {

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

CaseCheck checked(const KernelContext& kernel, const Case& definition, std::uint64_t seed, bool further) {
  const auto start = std::chrono::steady_clock::now();
  CaseCheck check;
  try {
    const Result<Literal> call = parseLiteral(definition.args);
    const auto checkCall = kernel.job.checking.likeBackendBench ? checkLikeBackendBench : checkFromSeed;
    check = call ? checkCall(kernel, definition, *call, seed)
                 : verdictOf(Verdict::refused, "malformed arguments: " + withHint(call.error()));
    check.seconds = since(start);
    if (call && further && !kernel.job.checking.likeBackendBench)
      askFurther(kernel, definition, *call, check);
  } catch (...) {
    // Candidate and reference return their errors as values; what is thrown here comes from making inputs or
    // comparing.
    check = failedRun(kernel, Error{Stage::check, exceptionText()});
    if (check.verdict == Verdict::threw)
      check = verdictOf(Verdict::refused, "could not be checked: " + check.message);
  }
  // What was judged on the way to another verdict does not count.
  if (check.verdict != Verdict::mismatch) check.wrong.reset();
  if (check.wrong) --*kernel.tellingCases;
  check.seconds = since(start);
  return check;
}

}  // namespace

CaseCheck checkCase(const KernelContext& kernel, const Case& definition) {
  return checked(kernel, definition, mixSeeds(kernel.job.seed, definition.seed), /*further=*/true);
}

CaseCheck checkCase(const KernelContext& kernel, const Case& definition, std::uint64_t seed) {
  return checked(kernel, definition, seed, /*further=*/false);
}

CaseCheck checkReferenceAlone(const KernelContext& kernel, const Case& definition) {
  const auto start = std::chrono::steady_clock::now();
  CaseCheck check = verdictOf(Verdict::crashed,
                              "the reference did not survive after the kernel had run; without the kernel it "
                              "does, on the same inputs: the kernel damages the process that it runs in");
  try {
    const std::uint64_t seed = mixSeeds(kernel.job.seed, definition.seed);
    const Result<Literal> call = parseLiteral(definition.args);
    const Result<void> done =
        call ? runReferenceAlone(kernel, definition, *call, mixSeeds(seed, 0)) : Result<void>(call.error());
    if (!done) check = verdictOf(Verdict::invalid, "the reference failed: " + withHint(done.error()));
  } catch (...) {
    check = verdictOf(Verdict::invalid, "the reference failed: " + exceptionText());
  }
  check.seconds = since(start);
  return check;
}

CaseCheck judge(const KernelContext& kernel, const Stack& pristine, const Stack& actual,
                const Stack& expected, OracleUse use) {
  tellSide(kernel, std::nullopt);
  const bool asPeer = kernel.tolerance().preset == "backendbench";
  const Stack wanted = asPeer ? expected : withEqualChoices(kernel.op, pristine, actual, expected);
  Judgement judgement{kernel, pristine, actual, wanted, {}, {}, {}};
  if (asPeer) {
    judgeAsPeer(judgement);
  } else {
    judgeByRule(judgement, use);
    if (judgement.check.verdict == Verdict::pass) tellFromLayout(judgement);
  }
  tellElements(judgement);
  return std::move(judgement.check);
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
