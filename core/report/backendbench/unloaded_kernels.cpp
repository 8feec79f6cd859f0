// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/unloaded_kernels.h"

#include <cstdint>
#include <utility>

namespace wb {
namespace {

CaseCheck failedAs(const Error& failure) {
  CaseCheck check;
  check.verdict = Verdict::threw;
  check.message = failure.text;
  check.errorType = failure.type;
  check.trace = failure.trace;
  return check;
}

}  // namespace

Report withUnloadedKernels(Report report, const std::vector<Case>& cases) {
  for (std::uint32_t k = 0; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = *report.kernels[k];
    if (!kernel.failure || kernel.failure->stage == Stage::setup || !kernel.cases.empty()) continue;
    const CaseCheck check = failedAs(*kernel.failure);
    std::vector<Case> own;
    for (const Case& each : cases)
      if (each.op == kernel.source.op) own.push_back(each);
    planCases(report, k, own);
    for (std::uint32_t i = 0; i < own.size(); ++i) fold(report, StepDone{Stage::check, k, i, check});
  }
  return report;
}

}  // namespace wb
