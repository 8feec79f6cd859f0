// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/model/report.h"
#include "core/runner/runner.h"
#include "tests/losses.h"

namespace wb {

/// The real worker, as in the window: one runner for all tests, which has to survive every one of them.
class RealWorker : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 1);
    setenv("WARPBENCH_RESOURCES", WB_SOURCE_DIR "/resources", 1);
    runner = std::make_unique<Runner>(localLauncher(), "cpu", RunnerOptions{});
  }
  static void TearDownTestSuite() { runner.reset(); }

  static Case caseOf(const std::string& op, const std::string& args) {
    Case made;
    made.op = op;
    made.args = args;
    made.dtype = "f32";
    return made;
  }
  /// Checks a kernel for relu over tensors of these shapes.
  static Job checkOf(const std::string& path, const std::string& text,
                     const std::vector<std::string>& shapes) {
    Job job;
    job.kernels.push_back({path, text, "", "", "", ""});
    job.suite = "relu";
    for (const std::string& shape : shapes)
      job.cases.push_back(caseOf("aten::relu", "((T([" + shape + "], f32),), {})"));
    job.stages.remove(Stage::time);
    return job;
  }

  static Report run(const Job& job) {
    Report report = startReport(job);
    runner->submit(job, [&](Runner::RunId, const Event& event) { fold(report, event); });
    runner->wait();
    expectLosses(report, subject);
    return report;
  }

  static std::vector<Verdict> verdicts(const Report& report) {
    std::vector<Verdict> all;
    const KernelReport& kernel = *report.kernels[0];
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) all.push_back(kernel.cases[i].check.verdict);
    return all;
  }
  static const CaseCheck& check(const Report& report, std::size_t index = 0) {
    return report.kernels[0]->cases[index].check;
  }

  inline static std::unique_ptr<Runner> runner;
  /// The losses that the tests are about.
  inline static Losses subject = Losses::none;
};

}  // namespace wb
