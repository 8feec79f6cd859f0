// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/case_run.h"

#include <fmt/format.h>

#include "core/engine/device/driver.h"

namespace wb {

Result<Stack> runAndWait(const KernelContext& kernel, PreparedCall& call) {
  if (Result<void> done = call.run(); !done) return std::move(done).error();
  if (kernel.device != "cpu")
    if (Result<void> done = synchronize(Stage::check); !done) return std::move(done).error();
  return call.outputs();
}

CaseCheck verdictOf(Verdict verdict, std::string message) {
  CaseCheck check;
  check.verdict = verdict;
  check.message = std::move(message);
  return check;
}

std::string withHint(const Error& error) {
  return error.hint.empty() ? error.text : fmt::format("{} ({})", error.text, error.hint);
}

}  // namespace wb
