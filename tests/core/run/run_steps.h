// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run of one worker as the pure functions see it: its report, what the worker is at, and what is left.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/run/fit.h"
#include "core/run/losses.h"
#include "core/run/remaining.h"
#include "tests/core/model/steps.h"

namespace wb {

inline Job twoKernels(bool check = true, bool time = true) {
  Job job;
  job.kernels = {{"dir/a.cpp", "", "torch_cpp", ""}, {"b.cpp", "", "torch_cpp", ""}};
  job.stages = Stages().set(Stage::check, check).set(Stage::time, time);
  job.limits.compileSeconds = 100;
  job.limits.caseSeconds = 30;
  job.timing.capSeconds = 2;
  return job;
}

/// A job whose workers are to do a stage of the whole kernel beside compiling it. The sanitizer's is the only
/// such stage, and in earnest the runner gives its results (see wholeOf).
inline Job withStageOfTheKernel() {
  Job job = twoKernels(true, false);
  job.stages.add(Stage::sanitize);
  const std::vector<StageWork> stages{{Stage::check}, {Stage::sanitize}};
  job.work = JobWork{false, {{0, false, stages}, {1, false, stages}}};
  return job;
}

inline StepDone compiledWith(std::uint32_t kernel, std::size_t cases) {
  Compiled compiled;
  compiled.cases.resize(cases);
  return compiledStep(std::move(compiled), kernel);
}

inline const Loss crash{Verdict::crashed, "SIGSEGV", "", false};
inline const Loss hang{Verdict::hung, "did not finish within 30.0 s", "", false};

/// What is left, for eyes: "0*: check 1 2, time 0 1 2; 1: check, time". A star: the kernel has been compiled.
[[nodiscard]] std::string text(const JobWork& work);

class OneRun {
 public:
  explicit OneRun(Job wanted, int lossesToQuarantine = 3)
      : job(std::move(wanted)), report(startReport(job)), limit_(lossesToQuarantine) {
    handOver();
  }

  bool take(const Event& event) {
    fold(report, event);
    return follow(at, event);
  }
  /// The candidate's call in a case that has just started.
  void call(std::uint32_t kernel, std::uint32_t index, Stage stage = Stage::check) {
    take(StepStarted{stage, kernel, index});
    take(SideStarted{kernel, index, Side::candidate, true, 0});
  }
  /// The loss, and what it amounts to besides.
  std::vector<Event> lose(Blame blame, const Loss& loss = crash) {
    std::vector<Event> events = afterLoss(job, report, at, loss, limit_);
    for (const Event& event : events) fold(report, event);
    const WorkerLost* lost = events.empty() ? nullptr : std::get_if<WorkerLost>(&events.front());
    EXPECT_NE(lost, nullptr);
    if (lost == nullptr) return events;
    EXPECT_EQ(name(lost->blame), name(blame)) << lost->doing;
    events.erase(events.begin());
    return events;
  }
  /// A fresh worker gets what is left.
  void handOver() {
    work = remaining(job, report);
    wb::handOver(at, work);
  }
  [[nodiscard]] std::string rest() const { return text(remaining(job, report)); }
  [[nodiscard]] Fit fits(const Event& event) const { return fit(job, report, work, at, event); }
  [[nodiscard]] double patience() const { return wb::patience(job, report, at); }

  Job job;
  Report report;
  JobWork work;
  AtWork at;

 private:
  int limit_;
};

inline OneRun afterCompile(const Job& job, std::size_t cases) {
  OneRun run(job);
  run.take(StepStarted{Stage::compile, 0, {}});
  run.take(compiledWith(0, cases));
  return run;
}

}  // namespace wb
