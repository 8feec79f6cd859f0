// SPDX-License-Identifier: Apache-2.0
#include "core/engine/like_backendbench.h"

#include "core/engine/case_run.h"
#include "core/engine/check/peer.h"
#include "core/engine/check_stage.h"
#include "core/engine/inputs.h"
#include "core/engine/reference/exception_text.h"

namespace wb {

CaseCheck checkLikeBackendBench(const KernelContext& kernel, const Case& definition, const Literal& call,
                                std::uint64_t seed) {
  if (kernel.candidate.mentionsStream()) return verdictOf(Verdict::refused, "Skipped: uses CUDA stream");
  const Result<Stack> arguments = makeInputs(kernel, definition, call, seed);
  if (!arguments) return verdictOf(Verdict::refused, withHint(arguments.error()));
  const std::unique_ptr<PreparedCall> reference = prepareReference(kernel.op, *arguments);
  const Result<Stack> expected = runAndWait(kernel, *reference);
  if (!expected) return verdictOf(Verdict::invalid, "the reference failed: " + withHint(expected.error()));

  Result<std::unique_ptr<PreparedCall>> candidate =
      kernel.candidate.prepare({call, *arguments}, planFrom(*expected));
  if (!candidate) return verdictOf(Verdict::refused, withHint(candidate.error()));
  const Result<Stack> actual = runAndWait(kernel, **candidate);
  if (!actual) return failedRun(kernel, actual.error());
  try {
    CaseCheck check = compareAsPeer(*actual, *expected);
    check.peer = peerErrors(*actual, *expected);
    return check;
  } catch (...) {
    return failedRun(kernel, Error{Stage::check, exceptionText(), {}, {}});
  }
}

}  // namespace wb
