// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/exit/exit_status.h"
#include "core/model/report.h"
#include "tests/core/model/samples.h"
#include "tests/core/model/steps.h"

namespace wb {

inline StepDone checked(std::uint32_t index, Verdict verdict, std::uint32_t kernel = 0) {
  return checkedStep(kernel, index, verdict);
}
inline StepDone timed(std::uint32_t index) {
  return {Stage::time, 0, index, samples::timing(2e-6, 1e-6)};
}

inline Report compiledReport(int cases, Stages stages = {Stage::check, Stage::time}) {
  Job job;
  job.kernels = {{"relu.cpp", "text", "torch_cpp", "relu"}};
  job.stages = stages;
  Report report = startReport(job);
  Compiled compiled;
  compiled.op = "aten::relu";
  for (int i = 0; i < cases; ++i) compiled.cases.push_back(samples::makeCase(i));
  fold(report, JobStarted{{"cpu", "", "", "", "", ""}, "2026-01-02T03:04:05Z"});
  fold(report, StepStarted{Stage::compile, 0, {}});
  fold(report, compiledStep(compiled));
  return report;
}
inline const KernelReport& kernelOf(const Report& report) {
  return *report.kernels.at(0);
}
inline int finishedStatus(Report report) {
  fold(report, Finished{Outcome::finished, 1});
  return exitStatus(report);
}

}  // namespace wb
