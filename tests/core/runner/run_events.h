// SPDX-License-Identifier: Apache-2.0
#pragma once

// A job and the events of a worker, for tests of what the runner makes of them.
#include "core/runner/run_progress.h"
#include "tests/core/model/steps.h"

namespace wb {

inline Job twoKernels(bool check = true, bool time = true) {
  Job job;
  job.kernels = {{"dir/a.cpp", "", "", ""}, {"b.cpp", "", "", ""}};
  job.stages.set(Stage::check, check).set(Stage::time, time);
  job.limits.compileSeconds = 100;
  job.limits.caseSeconds = 30;
  job.timing.capSeconds = 2;
  return job;
}

inline StepDone compiledWith(std::uint32_t kernel, std::size_t cases) {
  Compiled compiled;
  compiled.cases.resize(cases);
  return compiledStep(std::move(compiled), kernel);
}

inline StepDone checked(std::uint32_t kernel, std::uint32_t index, Verdict verdict) {
  return checkedStep(kernel, index, verdict);
}

inline RunProgress afterCompile(const Job& job, std::size_t cases) {
  RunProgress progress(job, 3);
  progress.take(StepStarted{Stage::compile, 0, {}});
  progress.take(compiledWith(0, cases));
  return progress;
}

inline const RunProgress::Loss crash{Verdict::crashed, "SIGSEGV", "", false};

}  // namespace wb
