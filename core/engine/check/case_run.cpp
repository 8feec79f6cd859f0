// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/case_run.h"

#include <fmt/format.h>

#include "core/engine/device/driver.h"

namespace wb {

Result<Stack> runAndWait(const KernelContext& kernel, PreparedCall& call) {
  WB_DO(call.run());
  if (kernel.device != "cpu") WB_DO(synchronize(Stage::check));
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
