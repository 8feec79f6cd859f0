// SPDX-License-Identifier: Apache-2.0
// Kernels that misbehave, run by the real worker under the real runner.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/process/process_tree.h"
#include "core/model/exit/exit_status.h"
#include "core/model/report.h"
#include "core/runner/runner.h"
#include "tests/losses.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Le;

Case reluCase(const std::string& args) {
  Case made;
  made.op = "aten::relu";
  made.args = args;
  made.dtype = "f32";
  return made;
}

/// Three cases; the body sees `self` and its number of elements: 1, 2 and 3.
Job jobOf(const std::string& body) {
  Job job;
  job.kernels.push_back(
      {"relu.cpp",
       "#include <torch/extension.h>\n#include <cstdio>\n#include <csignal>\n#include <sys/mman.h>\n"
       "#include <sys/wait.h>\n#include <unistd.h>\n"
       "at::Tensor relu(const at::Tensor& self) {\n  auto right = [&] { return self.clamp_min(0); };\n"
       "  const auto n = self.numel();\n  (void)n;\n" +
           body + "\n}\n",
       "", ""});
  job.suite = "faults";
  job.cases = {reluCase("((T([1], f32),), {})"), reluCase("((T([2], f32),), {})"),
               reluCase("((T([3], f32),), {})")};
  job.stages.remove(Stage::time);
  job.limits.caseSeconds = 20;
  return job;
}

/// One runner for all tests, as in the window: it must survive every one of them.
class WorkerFaults : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string worker = WB_BINARY_DIR "/bin/warpbench-worker";
    runner = std::make_unique<Runner>(commandLauncher({{worker}, {}, {}, worker}), "cpu", RunnerOptions{});
  }
  static void TearDownTestSuite() { runner.reset(); }

  static Report run(Job job) {
    std::string& source = job.kernels[0].text;
    if (const auto at = source.find("RUN"); at != std::string::npos)
      source.replace(at, 3, std::to_string(runs + 1));
    ++runs;
    Report report = startReport(job);
    runner->submit(job, [&](Runner::RunId, const Event& event) { fold(report, event); });
    runner->wait();
    expectLosses(report, Losses::ofKernels);  // which are what these tests are about
    return report;
  }
  static Report run(const std::string& body) { return run(jobOf(body)); }

  static std::vector<Verdict> verdicts(const Report& report) {
    std::vector<Verdict> all;
    const KernelReport& kernel = *report.kernels[0];
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) all.push_back(kernel.cases[i].check.verdict);
    return all;
  }
  static std::string message(const Report& report, std::size_t index) {
    return report.kernels[0]->cases[index].check.message;
  }
  static std::string logOf(const Report& report, const std::string& source) {
    std::string text;
    for (std::size_t i = 0; i < report.log.size(); ++i)
      if (report.log[i].source == source) text += report.log[i].text;
    return text;
  }
  static std::string explain(const Report& report) {
    const KernelReport& kernel = *report.kernels[0];
    std::string text = kernel.failure ? describe(*kernel.failure) + "\n" : "";
    if (report.failure) text += describe(*report.failure) + "\n";
    for (std::size_t i = 0; i < report.log.size(); ++i)
      text += report.log[i].source + ": " + report.log[i].text.substr(0, 300) + "\n";
    return text;
  }

  inline static std::unique_ptr<Runner> runner;
  inline static int runs = 0;  ///< submitted so far: the number of the last one
};

using enum Verdict;
using Verdicts = std::vector<Verdict>;

TEST_F(WorkerFaults, ARightKernelPasses) {
  const Report report = run("return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, pass, pass})) << explain(report);
}

TEST_F(WorkerFaults, AnExceptionIsAVerdictOfItsCase) {
  const Report report = run("TORCH_CHECK(n != 2, \"two is not for me\"); return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, threw, pass})) << explain(report);
  EXPECT_THAT(message(report, 1), HasSubstr("two is not for me"));
}

TEST_F(WorkerFaults, ASegmentationFaultCostsOneCase) {
  const Report report = run("if (n == 2) *reinterpret_cast<volatile int*>(8) = 1; return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, crashed, pass})) << explain(report);
  EXPECT_THAT(message(report, 1), HasSubstr("SIGSEGV"));
}

TEST_F(WorkerFaults, AStackOverflowCostsOneCase) {
  const Report report =
      run("struct Deep { static int go(volatile int x) { volatile char page[4096]; page[0] = "
          "static_cast<char>(x);"
          " return go(x + 1) + page[0]; } };\n"
          "  if (n == 2) return self + Deep::go(0);\n  return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, crashed, pass})) << explain(report);
}

TEST_F(WorkerFaults, AnAbortKeepsItsLastWords) {
  const Report report = run("if (n == 2) { std::fputs(\"goodbye\", stderr); std::abort(); } return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, crashed, pass})) << explain(report);
  EXPECT_THAT(message(report, 1) + logOf(report, "stderr"), HasSubstr("goodbye"));
}

TEST_F(WorkerFaults, WritingOutOfBoundsIsFound) {
  const Report report =
      run("if (n == 2) { auto out = at::empty_like(self); float* p = out.data_ptr<float>();\n"
          "    for (long i = -4096; i < (64L << 20); ++i) p[i] = 1; return out; }\n  return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, crashed, pass})) << explain(report);
}

TEST_F(WorkerFaults, ExitingIsFound) {
  const Report report = run("if (n == 2) exit(0); return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, crashed, pass})) << explain(report);
  EXPECT_THAT(message(report, 1), HasSubstr("exit code 0"));
}

TEST_F(WorkerFaults, AnEndlessLoopIsStoppedAtItsLimit) {
  Job job = jobOf("for (volatile long i = 0; n == 2; i = i + 1) {} return right();");
  job.limits.caseSeconds = 3;
  const Report report = run(job);
  EXPECT_EQ(verdicts(report), (Verdicts{pass, hung, pass})) << explain(report);
}

/// Where that was found out when it was compared, the case was void, and all the others right.
TEST_F(WorkerFaults, AResultThatKeepsItsReaderWaitingIsTheKernels) {
  Job job = jobOf(
      "if (n != 2) return right();\n  std::signal(SIGSEGV, [](int) { for (;;) pause(); });\n"
      "  void* memory = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
      "  return at::from_blob(memory, self.sizes(), self.options());");
  job.limits.caseSeconds = 3;
  const Report report = run(job);
  EXPECT_EQ(verdicts(report), (Verdicts{pass, hung, pass})) << explain(report);
}

/// Nobody has asked more about it before the worker is lost.
TEST_F(WorkerFaults, WhatHadPassedBeforeALossInTheLastCaseHasAWarning) {
  const Report report = run("if (n == 3) std::abort();\n  return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, pass, crashed})) << explain(report);
  ASSERT_FALSE(report.kernels[0]->diagnostics.empty());
  EXPECT_THAT(report.kernels[0]->diagnostics.back().message, HasSubstr("2 cases had passed"));
}

TEST_F(WorkerFaults, PrintingCannotCorruptTheStream) {
  const Report report =
      run("std::printf(\"WBF1%c%c\\n\", 0, 255); std::fputs(\"careful\\n\", stderr);\n"
          "  char junk[64] = \"WBF1\"; (void)!write(1, junk, sizeof junk); return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, pass, pass})) << explain(report);
  EXPECT_THAT(logOf(report, "stderr"), HasSubstr("careful"));
}

TEST_F(WorkerFaults, AGigabyteOfOutputIsCutAndCounted) {
  Job job = jobOf(
      "static char line[1 << 20]; for (char& c : line) c = 'x';\n"
      "  if (n == 2) for (int i = 0; i < 1024; ++i) std::fwrite(line, 1, sizeof line, stdout);\n"
      "  return right();");
  job.limits.caseSeconds = 60;
  const Report report = run(job);
  EXPECT_EQ(verdicts(report), (Verdicts{pass, pass, pass})) << explain(report);
  EXPECT_THAT(static_cast<std::int64_t>(logOf(report, "stdout").size()), Le(job.limits.logBytes));
  EXPECT_THAT(logOf(report, "worker"), HasSubstr("output cut"));
}

TEST_F(WorkerFaults, ClosingDescriptorsDoesNotEndTheRun) {
  const Report report = run("close(0); close(1); close(2); return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, pass, pass})) << explain(report);
}

/// Where a kernel writes the number of its daemon: the worker's standard output may be closed by now.
std::string daemonFile() {
  return testing::TempDir() + "warpbench-daemon-" + std::to_string(::getpid());
}

/// A process in a session of its own and without a parent.
std::string leavesADaemon() {
  return "if (n == 1) { int ends[2]; (void)!pipe(ends); pid_t left = 0;\n"
         "    if (const pid_t between = fork(); between == 0) { setsid(); left = fork();\n"
         "      if (left == 0) for (;;) pause();\n"
         "      (void)!write(ends[1], &left, sizeof left); _exit(0); }\n"
         "    (void)!read(ends[0], &left, sizeof left); close(ends[0]); close(ends[1]);\n"
         "    if (FILE* file = std::fopen(\"" +
         daemonFile() + "\", \"w\")) { std::fprintf(file, \"%d\", left); std::fclose(file); } }\n";
}

pid_t daemonLeft() {
  const Result<std::string> text = readFile(daemonFile());
  std::filesystem::remove(daemonFile());
  return text ? std::stoi(*text) : 0;
}

bool isThere(pid_t process) {
  const auto state = processState(process);
  return state && state->state != 'Z';
}

TEST_F(WorkerFaults, ADaemonOfAKernelEndsWithTheRun) {
  const Report report = run(leavesADaemon() + "  return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, pass, pass})) << explain(report);
  const pid_t process = daemonLeft();
  ASSERT_GT(process, 0) << explain(report);
  while (isThere(process)) ::usleep(1000);  // the test's own limit ends it
}

TEST_F(WorkerFaults, ADaemonOfAKernelThatCrashesEndsToo) {
  const Report report = run(leavesADaemon() + "  if (n == 2) raise(SIGSEGV); return right();");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, crashed, pass})) << explain(report);
  const pid_t process = daemonLeft();
  ASSERT_GT(process, 0) << explain(report);
  // The last one may be of the second worker, in which the kernel was asked at other shapes.
  while (isThere(process)) ::usleep(1000);  // the test's own limit ends it
}

/// ATen multiplies whole numbers on a CPU element by element: a minute where the kernel takes a second.
TEST_F(WorkerFaults, AReferenceThatIsTooSlowIsNotTheKernelsFault) {
  Job job = jobOf("return right();");
  job.kernels[0].path = "mm.cpp";
  job.kernels[0].text =
      "#include <torch/extension.h>\nat::Tensor mm(const at::Tensor& self, const at::Tensor& mat2) {\n"
      "  return self.to(at::kFloat).mm(mat2.to(at::kFloat)).to(at::kLong);\n}\n";
  job.cases = {reluCase("((T([4096, 4096], i64), T([4096, 4096], i64)), {})"),
               reluCase("((T([4, 4], i64), T([4, 4], i64)), {})")};
  for (Case& each : job.cases) each.op = "aten::mm";
  job.limits.caseSeconds = 5;
  const Report report = run(job);
  EXPECT_EQ(verdicts(report), (Verdicts{invalid, pass})) << explain(report);
  EXPECT_THAT(message(report, 0), HasSubstr("the reference did not finish within 5.00 s"));
}

TEST_F(WorkerFaults, WrongAnswersAreToldApart) {
  const Report report =
      run("if (n == 1) return right().to(at::kDouble); if (n == 2) return right().reshape({2, 1});\n"
          "  const_cast<at::Tensor&>(self).relu_(); return self.clone();");
  EXPECT_EQ(verdicts(report), (Verdicts{wrongDtype, wrongShape, changedInput})) << explain(report);
}

TEST_F(WorkerFaults, ACompileErrorHasItsPlace) {
  const Report report = run("return nonsense;");
  ASSERT_TRUE(report.kernels[0]->failure);
  ASSERT_FALSE(report.kernels[0]->diagnostics.empty());
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place.line, 11);
  EXPECT_THAT(report.kernels[0]->diagnostics[0].message, HasSubstr("nonsense"));
  EXPECT_EQ(exitStatus(report), 2);
}

TEST_F(WorkerFaults, AKernelThatForgesItsVerdictsPassesNothing) {
  // Passes for all of its cases, written to every descriptor there is while the first case runs.
  const Report report = run(R"(
    for (int descriptor = 3; descriptor < 40; ++descriptor)
      for (int i = 0; i < 3; ++i) {
        const std::string text = "{\"event\":\"StepDone\",\"stage\":\"check\",\"kernel\":0,\"index\":" + std::to_string(i) +
                                 ",\"result\":{\"checked\":{\"verdict\":\"pass\"}}}\n";
        std::string frame = "WBF1";
        const std::uint32_t size = text.size(), run = RUN;
        const std::uint16_t type = 21, flags = 0;
        frame.append(reinterpret_cast<const char*>(&size), 4).append(reinterpret_cast<const char*>(&type), 2);
        frame.append(reinterpret_cast<const char*>(&flags), 2).append(reinterpret_cast<const char*>(&run), 4);
        frame += text;
        if (write(descriptor, frame.data(), frame.size()) < 0) continue;
      }
    sleep(100);
    return right();)");
  EXPECT_EQ(verdicts(report), (Verdicts{tampered, tampered, tampered})) << explain(report);
  EXPECT_EQ(exitStatus(report), 1);
}

TEST_F(WorkerFaults, AFailureWithALongTextFails) {
  const Report report = run(R"(
    TORCH_CHECK(n != 2, std::string(80 << 20, 'x'));
    return right();)");
  EXPECT_EQ(verdicts(report), (Verdicts{pass, threw, pass})) << explain(report);
  EXPECT_LT(message(report, 1).size(), 20000U);
  EXPECT_THAT(message(report, 1), HasSubstr("were cut out here"));
  EXPECT_EQ(exitStatus(report), 1);
}

}  // namespace
}  // namespace wb
