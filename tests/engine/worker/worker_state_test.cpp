// SPDX-License-Identifier: Apache-2.0
// Kernels that change the process they run in, by the real worker under the real runner: neither their
// reference nor the kernels after them may notice.
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/model/report.h"
#include "core/runner/runner.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using enum Verdict;

/// Kernels for mul over three cases of float32, one after the other in one worker; `at::Tensor mul(a, b)` has
/// the given body.
class WorkerState : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    runner = std::make_unique<Runner>(commandLauncher({{WB_BINARY_DIR "/bin/warpbench-worker"}, {}, {}}),
                                      "cpu", RunnerOptions{});
  }
  static void TearDownTestSuite() { runner.reset(); }

  static std::string kernel(const std::string& body) {
    return "#include <torch/extension.h>\n#include <ATen/Context.h>\n#include <ATen/Parallel.h>\n"
           "#include <cfenv>\n#include <csignal>\n#include <cstdlib>\n#include <thread>\n"
           "#include <sys/resource.h>\n#include <sys/time.h>\n#include <unistd.h>\n#include <xmmintrin.h>\n"
           "at::Tensor mul(const at::Tensor& a, const at::Tensor& b) {\n" +
           body + "\n}\n";
  }

  static Report run(const std::vector<std::string>& bodies, bool time = false) {
    Job job;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const std::string name = "mul" + std::to_string(i) + ".cpp";
      job.kernels.push_back({name, kernel(bodies[i]), "", "mul.Tensor", "", ""});
    }
    job.suite = "state";
    for (const char* shape : {"[5]", "[64]", "[300]"}) {
      Case made;
      made.op = "aten::mul.Tensor";
      made.args = std::string("((T(") + shape + ", f32), T(" + shape + ", f32)), {})";
      made.dtype = "f32";
      job.cases.push_back(made);
    }
    job.stages.set(Stage::time, time);
    job.timing.capSeconds = 0.1;
    job.limits.caseSeconds = 20;
    Report report = startReport(job);
    runner->submit(job, [&](Runner::RunId, const Event& event) { fold(report, event); });
    runner->wait();
    EXPECT_THAT(report.losses, IsEmpty());
    return report;
  }

  static std::vector<Verdict> verdicts(const Report& report, std::size_t kernel) {
    std::vector<Verdict> all;
    const auto& cases = report.kernels[kernel]->cases;
    for (std::size_t i = 0; i < cases.size(); ++i) all.push_back(cases[i].check.verdict);
    return all;
  }
  static std::string warnings(const Report& report, std::size_t kernel) {
    std::string text;
    for (const Diagnostic& each : report.kernels[kernel]->diagnostics)
      if (each.severity == Severity::warning && each.tool == "warpbench") text += each.message + "\n";
    return text;
  }

  inline static std::unique_ptr<Runner> runner;
};

constexpr const char* good = "return a * b;";

TEST_F(WorkerState, FlushingToZeroReachesNeitherTheReferenceNorTheNextKernel) {
  // The product of the inputs with a number so small that it is denormal: ATen's is not zero.
  const char* flushing =
      "_mm_setcsr(_mm_getcsr() | 0x8040);\n"
      "  TORCH_CHECK((a.abs().add(1).mul(1e-39).sum().item<double>()) == 0, \"not flushed\"); return a * b;";
  const char* notFlushed =
      "TORCH_CHECK((a.abs().add(1).mul(1e-39).sum().item<double>()) != 0, \"flushed\"); return a * b;";
  const Report report = run({flushing, notFlushed});
  EXPECT_THAT(verdicts(report, 0), Each(pass));
  EXPECT_THAT(verdicts(report, 1), Each(pass)) << report.kernels[1]->cases[0].check.message;
  EXPECT_THAT(warnings(report, 0), HasSubstr("flushing of denormal numbers to zero (on, was off)"));
  EXPECT_THAT(warnings(report, 1), IsEmpty());
}

TEST_F(WorkerState, SettingsOfTorchStayTheKernelsOwn) {
  // What it sets at its first call it still has at the next one.
  const char* setting =
      "static int calls = 0;\n"
      "  if (calls++ == 0) { at::set_num_threads(3); std::fesetround(FE_UPWARD);\n"
      "    at::globalContext().setDeterministicAlgorithms(true, false); }\n"
      "  TORCH_CHECK(at::get_num_threads() == 3 && std::fegetround() == FE_UPWARD, \"lost\"); return a * b;";
  const char* clean =
      "TORCH_CHECK(at::get_num_threads() != 3 && std::fegetround() == FE_TONEAREST &&\n"
      "      !at::globalContext().deterministicAlgorithms(), \"still set\"); return a * b;";
  const Report report = run({setting, clean});
  EXPECT_THAT(verdicts(report, 1), Each(pass)) << report.kernels[1]->cases[0].check.message;
  EXPECT_THAT(report.kernels[0]->cases[2].check.message, Not(HasSubstr("lost")));
  EXPECT_THAT(warnings(report, 0), HasSubstr("the number of threads (3, was "));
  EXPECT_THAT(warnings(report, 0), HasSubstr("the rounding mode"));
  EXPECT_THAT(warnings(report, 0), HasSubstr("deterministic algorithms (on, was off)"));
}

TEST_F(WorkerState, TheNextKernelCompilesWhateverTheLastOneDidToTheProcess) {
  const char* leaving =
      "std::signal(SIGCHLD, SIG_IGN); clearenv(); (void)!chdir(\"/proc\");\n"
      "  itimerval soon{{0, 1000}, {0, 1000}}; std::signal(SIGALRM, [](int) {}); setitimer(ITIMER_REAL, "
      "&soon, "
      "nullptr);\n"
      "  rlimit few{}; getrlimit(RLIMIT_NOFILE, &few); few.rlim_cur = 40; setrlimit(RLIMIT_NOFILE, &few);\n"
      "  return a * b;";
  // A source that was never compiled: the cache would hide a compiler that does not run.
  const std::string fresh = std::string(good) + " // " + std::to_string(::getpid()) + " " +
                            std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
  const Report report = run({leaving, fresh});
  EXPECT_THAT(verdicts(report, 0), Each(pass));
  EXPECT_FALSE(report.kernels[1]->failure) << describe(*report.kernels[1]->failure);
  EXPECT_THAT(verdicts(report, 1), Each(pass));
  for (const char* word : {"SIGCHLD", "an interval timer", "environment variable PATH", "the working folder",
                           "the limit of open files"})
    EXPECT_THAT(warnings(report, 0) + report.kernels[0]->diagnostics[0].message,
                testing::AnyOf(HasSubstr(word), HasSubstr("more")))
        << word;
}

TEST_F(WorkerState, AThreadThatAbortsLaterIsNotTheNextKernelsFault) {
  const char* leaving = "static std::thread later([] { for (;;) sleep(1000); }); return a * b;";
  const Report report = run({leaving, good});
  EXPECT_THAT(verdicts(report, 0), Each(pass));
  EXPECT_THAT(verdicts(report, 1), Each(pass));
  EXPECT_THAT(warnings(report, 0), HasSubstr("1 thread"));
  EXPECT_THAT(warnings(report, 0), HasSubstr("fresh process"));
  EXPECT_THAT(warnings(report, 1), IsEmpty());
}

TEST_F(WorkerState, AKernelWhoseThreadsRunWhileTheReferenceIsTimedIsNotScored) {
  const char* spinning =
      "static std::thread busy([] { for (volatile long i = 0;; i = i + 1) {} }); return a * b;";
  const Report report = run({spinning}, /*time=*/true);
  EXPECT_THAT(verdicts(report, 0), Each(pass));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(report.kernels[0]->cases[i].timing);
    EXPECT_THAT(report.kernels[0]->cases[i].notTimed, HasSubstr("1 thread"));
  }
}

TEST_F(WorkerState, AnOrdinaryKernelLeavesNoWord) {
  const Report report =
      run({good, "at::parallel_for(0, 8, 1, [](int64_t, int64_t) {}); return a * b;"}, true);
  for (std::size_t kernel = 0; kernel < 2; ++kernel) {
    EXPECT_THAT(verdicts(report, kernel), Each(pass));
    EXPECT_EQ(warnings(report, kernel), "");
    EXPECT_TRUE(report.kernels[kernel]->cases[2].timing) << report.kernels[kernel]->cases[2].notTimed;
  }
}

}  // namespace
}  // namespace wb
