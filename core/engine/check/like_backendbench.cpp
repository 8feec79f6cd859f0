// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/like_backendbench.h"

#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/peer.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/reference/exception_text.h"

namespace wb {

namespace {

/// Whether the reference's answers differ. The operator's tag says that it is random, but it may be so with
/// other arguments only, as attention is with dropout.
bool referenceVaries(const KernelContext& kernel, const Stack& arguments, const Stack& expected) {
  const std::unique_ptr<PreparedCall> reference = prepareReference(kernel.op, arguments);
  const Result<Stack> again = runAndWait(kernel, *reference);
  return again && compareAsPeer(*again, expected).verdict == Verdict::mismatch;
}

}  // namespace

CaseCheck checkLikeBackendBench(const KernelContext& kernel, const Case& definition, const Literal& call,
                                std::uint64_t seed) {
  if (kernel.candidate.mentionsStream()) return verdictOf(Verdict::refused, "Skipped: uses CUDA stream");
  const Result<Stack> arguments = makeInputs(kernel, definition, call, seed);
  if (!arguments) return verdictOf(Verdict::refused, withHint(arguments.error()));
  const std::unique_ptr<PreparedCall> reference = prepareReference(kernel.op, *arguments);
  tellSide(kernel, Side::reference);
  const Result<Stack> expected = runAndWait(kernel, *reference);
  if (!expected) return verdictOf(Verdict::invalid, "the reference failed: " + withHint(expected.error()));

  tellSide(kernel, Side::candidate);
  Result<std::unique_ptr<PreparedCall>> candidate =
      kernel.candidate.prepare({call, *arguments}, planFrom(*expected));
  if (!candidate) return verdictOf(Verdict::refused, withHint(candidate.error()));
  const Result<WatchedRun> actual = runWatched(kernel, **candidate);
  if (!actual) return failedRun(kernel, actual.error());
  tellSide(kernel, std::nullopt);
  try {
    CaseCheck check = compareAsPeer(actual->results, *expected);
    check.peer = peerErrors(actual->results, *expected);
    check.ran = actual->ran;
    // BackendBench's verdict on these is a matter of luck, and differs from run to run.
    if (isUninitialised(kernel.op) && check.errors)
      return verdictOf(Verdict::invalid,
                       "the operator's result is memory as it lies: there is nothing to compare");
    if (isRandom(kernel.op) && check.verdict == Verdict::mismatch &&
        referenceVaries(kernel, *arguments, *expected))
      return verdictOf(Verdict::invalid,
                       "the operator is random: the kernel's values are others than ATen's");
    return check;
  } catch (...) {
    return failedRun(kernel, Error{Stage::check, exceptionText()});
  }
}

}  // namespace wb
