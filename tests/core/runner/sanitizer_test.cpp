// SPDX-License-Identifier: Apache-2.0
// Runs under a stand-in for compute-sanitizer (sanitizer/compute-sanitizer), with the fake worker.
#include "core/runner/sanitizer/sanitizer.h"
#include "core/model/exit/exit_status.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "core/base/toolkit.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// $CUDA_HOME with the stand-in in it.
class SanitizerTest : public ::testing::Test {
 protected:
  SanitizerTest() {
    fs::create_directories(home_ / "bin");
    fs::create_directories(home_ / "tmp");
    fs::copy_file(messages_ / "compute-sanitizer", home_ / "bin" / "compute-sanitizer",
                  fs::copy_options::overwrite_existing);
    setenv("CUDA_HOME", home_.c_str(), 1);
    setenv("TMPDIR", (home_ / "tmp").c_str(), 1);
    setenv("FAKE_SANITIZER_MESSAGES", messages_.c_str(), 1);
  }
  ~SanitizerTest() override {
    unsetenv("CUDA_HOME");
    unsetenv("TMPDIR");
    fs::remove_all(home_);
  }

  static Job job(const std::string& tool, const std::string& kernel = "--mismatch=none") {
    Job made = fakeJob({kernel});
    made.sanitizer = tool;
    made.stages.add(Stage::sanitize);
    made.kernels[0].path = "oob_demo.cu";
    return made;
  }

  fs::path messages_ = WB_SOURCE_DIR "/tests/core/runner/sanitizer";
  fs::path home_ = fs::path(::testing::TempDir()) / ("wb_sanitizer_" + std::to_string(getpid()));
};

TEST_F(SanitizerTest, MessagesBecomeDiagnosticsOfTheirLines) {
  Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
  Recorder run(job("memcheck"));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::finished);
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_EQ(kernel.counts.passed, 8);
  ASSERT_EQ(kernel.diagnostics.size(), 3U);
  EXPECT_EQ(kernel.diagnostics[0].place, (Place{"oob_demo.cu", 9, 0}));
  EXPECT_EQ(kernel.diagnostics[0].tool, "compute-sanitizer memcheck");
  EXPECT_THAT(kernel.diagnostics[0].message, HasSubstr("(2 times)"));
  EXPECT_EQ(kernel.diagnostics[1].place.line, 44);
  EXPECT_EQ(kernel.diagnostics[2].place, Place{});
  EXPECT_TRUE(std::holds_alternative<Finished>(run.events().back()));
}

TEST_F(SanitizerTest, NothingIsTimedAndTheReportSaysWhatWasFound) {
  Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
  Recorder run(job("racecheck"));
  run.submit(runner);
  const Report& report = run.wait();
  EXPECT_EQ(counts(report).timed, 0);
  const auto& sanitized = report.kernels[0]->sanitized;
  ASSERT_TRUE(sanitized);
  EXPECT_EQ(sanitized->tool, "racecheck");
  EXPECT_EQ(sanitized->places, 3);
  EXPECT_GT(sanitized->errors, 0);
  EXPECT_TRUE(sanitized->complete);
  EXPECT_EQ(exitStatus(report), 1) << "all answers were right";
  EXPECT_THAT(run.log("runner"), Not(HasSubstr("memory is cached")));
}

TEST_F(SanitizerTest, TheNextJobRunsInAWorkerOfItsOwn) {
  Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
  Recorder watched(job("synccheck")), plain(fakeJob()), again(job("synccheck"));
  watched.submit(runner);
  plain.submit(runner);
  again.submit(runner);
  runner.wait();
  EXPECT_EQ(watched.wait().kernels[0]->diagnostics.size(), 2U);
  EXPECT_THAT(plain.wait().kernels[0]->diagnostics, IsEmpty());
  EXPECT_EQ(counts(plain.wait()).timed, 7);
  EXPECT_EQ(again.wait().kernels[0]->diagnostics.size(), 2U);
}

TEST_F(SanitizerTest, AWorkerThatIsLostHasItsMessagesReadAndTheRestGoesOn) {
  for (const char* mode : {"segfault", "bye"}) {
    Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
    Recorder run(job("memcheck", fmt::format("--mode={}:2 --mismatch=none", mode)));
    run.submit(runner);
    const Report& report = run.wait();
    EXPECT_EQ(report.outcome, Outcome::finished);
    EXPECT_EQ(run.verdicts()[2], std::string_view(mode) == "bye" ? Verdict::pass : Verdict::crashed);
    EXPECT_EQ(run.verdicts()[7], Verdict::pass);
    EXPECT_THAT(run.log("runner"), HasSubstr("The worker was lost"));
    // Both workers met the same faults: each is said once.
    EXPECT_EQ(report.kernels[0]->diagnostics.size(), 3U);
  }
}

TEST_F(SanitizerTest, AWorkerThatHangsIsNotWaitedFor) {
  Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
  Job hangs = job("memcheck", "--mode=hang:2 --mismatch=none");
  hangs.limits.caseSeconds = 0.5 / 20;
  Recorder run(hangs);
  run.submit(runner);
  EXPECT_EQ(run.wait().outcome, Outcome::finished);
  EXPECT_EQ(run.verdicts()[2], Verdict::hung);
  EXPECT_EQ(run.verdicts()[7], Verdict::pass);
  EXPECT_THAT(run.log("runner"), HasSubstr("was cut off"));
  ASSERT_TRUE(run.wait().kernels[0]->sanitized);
  EXPECT_FALSE(run.wait().kernels[0]->sanitized->complete);
  EXPECT_EQ(run.wait().kernels[0]->diagnostics.size(), 3U);  // of the worker that went on
}

TEST_F(SanitizerTest, CancellingDoesNotWaitForMessages) {
  Runner runner(fakeLauncher({"--delay=0.5"}), "cuda:0", quickOptions());
  Recorder run(job("memcheck"));
  const auto id = run.submit(runner);
  run.waitFor<SideStarted>();
  runner.cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
}

TEST_F(SanitizerTest, LogFilesAreRemoved) {
  {
    Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
    Recorder run(job("memcheck"));
    run.submit(runner);
    run.wait();
  }
  EXPECT_TRUE(fs::is_empty(home_ / "tmp"));
}

TEST_F(SanitizerTest, WhatCannotBeIsSaidAndTheNextJobRuns) {
  Runner runner(fakeLauncher({}), "cuda:0", quickOptions());
  Recorder unknown(job("leakcheck")), next(fakeJob());
  unknown.submit(runner);
  next.submit(runner);
  runner.wait();
  ASSERT_TRUE(unknown.wait().failure);
  EXPECT_THAT(describe(*unknown.wait().failure), HasSubstr("no tool leakcheck (one of memcheck, racecheck"));
  EXPECT_EQ(next.wait().outcome, Outcome::finished);
  EXPECT_EQ(counts(next.wait()).checked, 8);

  Runner onCpu(fakeLauncher({}), "cpu", quickOptions());
  Recorder there(job("memcheck"));
  there.submit(onCpu);
  ASSERT_TRUE(there.wait().failure);
  EXPECT_THAT(describe(*there.wait().failure), HasSubstr("this run is on cpu"));
}

TEST_F(SanitizerTest, AMissingProgramIsAnErrorThatSaysWhereItComesFrom) {
  fs::remove(home_ / "bin" / "compute-sanitizer");
  const auto found = findSanitizer();
  if (!toolkitPrograms("compute-sanitizer").empty()) {
    EXPECT_TRUE(found);
    return;  // one is installed here
  }
  ASSERT_FALSE(found);
  EXPECT_THAT(describe(found.error()),
              HasSubstr("compute-sanitizer is not installed (it comes with the CUDA"));
}

TEST_F(SanitizerTest, TheCommandLineKeepsTheWorkersOwn) {
  const Command command = underSanitizer(Command{{"worker", "--device=cuda:0"}, {}, {}},
                                         "/x/compute-sanitizer", "memcheck", "/t/log");
  EXPECT_EQ(command.argv.front(), "/x/compute-sanitizer");
  EXPECT_THAT(command.argv, Contains("/t/log"));
  EXPECT_EQ(command.argv.back(), "--device=cuda:0");
  EXPECT_EQ(command.argv[command.argv.size() - 2], "worker");
  EXPECT_THAT(command.environment,
              Contains(std::pair<std::string, std::string>("PYTORCH_NO_CUDA_MEMORY_CACHING", "1")));
}

}  // namespace
}  // namespace wb
