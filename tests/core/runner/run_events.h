// SPDX-License-Identifier: Apache-2.0
#pragma once

// A job and the events of a worker, for tests of what the runner makes of them.
#include "core/runner/run_progress.h"

namespace wb {

inline Job twoKernels(bool check = true, bool time = true) {
  Job job;
  job.kernels = {{"dir/a.cpp", "", "", ""}, {"b.cpp", "", "", ""}};
  job.stages = {check, time};
  job.limits.compileSeconds = 100;
  job.limits.caseSeconds = 30;
  job.timing.capSeconds = 2;
  return job;
}

inline Compiled compiledWith(std::uint32_t kernel, std::size_t cases) {
  Compiled event;
  event.kernel = kernel;
  event.cases.resize(cases);
  return event;
}

inline CaseChecked checked(std::uint32_t kernel, std::uint32_t index, Verdict verdict) {
  CaseChecked event{kernel, index, {}};
  event.check.verdict = verdict;
  return event;
}

inline RunProgress afterCompile(const Job& job, std::size_t cases) {
  RunProgress progress(job, 3);
  progress.take(CompileStarted{0, "torch_cpp"});
  progress.take(compiledWith(0, cases));
  return progress;
}

inline const RunProgress::Loss crash{Verdict::crashed, "SIGSEGV", "", false};

}  // namespace wb
