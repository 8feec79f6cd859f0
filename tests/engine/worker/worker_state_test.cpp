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
           "#include <ATen/record_function.h>\n#include <c10/core/CPUAllocator.h>\n#include "
           "<torch/library.h>\n"
           "#include <cfenv>\n#include <chrono>\n#include <csignal>\n#include <cstdlib>\n#include <ctime>\n"
           "#include <filesystem>\n#include <fstream>\n#include <sched.h>\n#include <thread>\n"
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

TEST_F(WorkerState, AThreadThatSleepsIsNobodysFaultAndNotInTheNextKernelsProcess) {
  const char* leaving =
      "static std::thread later([] { pthread_setname_np(pthread_self(), \"left-behind\"); "
      "for (;;) sleep(1000); }); return a * b;";
  const char* looking =
      "for (const auto& task : std::filesystem::directory_iterator(\"/proc/self/task\")) { std::string name; "
      "std::ifstream(task.path() / \"comm\") >> name; if (name == \"left-behind\") return a + b; } "
      "return a * b;";
  const Report report = run({leaving, looking});
  EXPECT_THAT(verdicts(report, 0), Each(pass));
  EXPECT_THAT(verdicts(report, 1), Each(pass));
  EXPECT_THAT(warnings(report, 0), IsEmpty());
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

// It sleeps so often that a look at what runs may miss it.
TEST_F(WorkerState, ThreadsThatRunNowAndThenWhileTheReferenceIsTimedAreNotScoredEither) {
  const char* resting =
      "static std::vector<std::thread> busy;\n"
      "  for (int i = busy.size(); i < 4; ++i) busy.emplace_back([] { using clock = "
      "std::chrono::steady_clock;\n"
      "    for (;;) {\n"
      "      for (auto end = clock::now() + std::chrono::milliseconds(2); clock::now() < end;) {}\n"
      "      std::this_thread::sleep_for(std::chrono::milliseconds(2)); } });\n"
      "  return a * b;";
  const Report report = run({resting}, /*time=*/true);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_THAT(report.kernels[0]->cases[i].notTimed, HasSubstr("while the reference was timed"));
}

TEST_F(WorkerState, AComparisonThatIsTakenOverInALaterCallIsNoticed) {
  const char* taking =
      "static int calls = 0; static std::unique_ptr<torch::Library> library;\n"
      "  if (calls++ == 3) {\n"
      "    library = std::make_unique<torch::Library>(torch::Library::IMPL, \"aten\", "
      "c10::DispatchKey::CPU,\n"
      "                                               \"mine.cpp\", 7);\n"
      "    library->impl(\"isclose\", +[](const at::Tensor& x, const at::Tensor&, double, double, bool) {\n"
      "      return at::ones_like(x, at::kBool); }); }\n"
      "  return a * b;";
  const Report report = run({taking, good});
  // How many calls a case takes depends on what is asked beside it.
  EXPECT_EQ(verdicts(report, 0)[2], tampered) << report.kernels[0]->cases[2].check.message;
  EXPECT_THAT(report.kernels[0]->cases[2].check.message,
              HasSubstr("aten::isclose for CPU (registered at mine.cpp:7)"));
  EXPECT_THAT(verdicts(report, 1), Each(pass));
}

TEST_F(WorkerState, ObserversAndAllocatorsStayTheKernelsOwn) {
  const char* watching =
      "struct Mine final : c10::Allocator {\n"
      "    c10::Allocator* theirs = c10::GetCPUAllocator();\n"
      "    c10::DataPtr allocate(size_t n) override { return theirs->allocate(n); }\n"
      "    void copy_data(void* to, const void* from, size_t n) const override { default_copy_data(to, from, "
      "n); }\n"
      "  };\n"
      "  static Mine mine; static int calls = 0;\n"
      "  if (calls++ == 0) { c10::SetCPUAllocator(&mine, 200);\n"
      "    at::addThreadLocalCallback(at::RecordFunctionCallback(\n"
      "        [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> { return nullptr; })); "
      "}\n"
      "  TORCH_CHECK(c10::GetCPUAllocator() == &mine, \"lost\"); return a * b;";
  const char* clean = "TORCH_CHECK(!at::hasThreadLocalCallbacks(), \"still set\"); return a * b;";
  const Report report = run({watching, clean});
  EXPECT_THAT(verdicts(report, 0), Each(pass)) << report.kernels[0]->cases[0].check.message;
  EXPECT_THAT(verdicts(report, 1), Each(pass)) << report.kernels[1]->cases[0].check.message;
  EXPECT_THAT(warnings(report, 0), HasSubstr("the allocator of the processor's memory"));
  EXPECT_THAT(warnings(report, 0), HasSubstr("observers of torch's calls"));
  EXPECT_THAT(warnings(report, 1), IsEmpty());
}

TEST_F(WorkerState, WhoMovesTorchsThreadsIsNotScored) {
  const char* moving =
      "at::parallel_for(0, 64, 1, [](int64_t, int64_t) { if (at::get_thread_num() == 0) return;\n"
      "    cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one); sched_setaffinity(0, sizeof one, &one); });\n"
      "  TORCH_CHECK(at::get_num_threads() > 1, \"one thread\"); return a * b;";
  const Report report = run({moving}, /*time=*/true);
  if (report.kernels[0]->cases[0].check.verdict == threw) GTEST_SKIP() << "torch has one thread here";
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_THAT(report.kernels[0]->cases[i].notTimed, HasSubstr("the processors of torch's threads"));
  EXPECT_THAT(warnings(report, 0), HasSubstr("the processors of torch's threads"));
}

TEST_F(WorkerState, WhoServesPageFaultsOrSetsTimersIsNotScored) {
  const char* serving =
      "struct sigaction mine {}; mine.sa_handler = [](int) { _exit(3); };\n"
      "  sigaction(SIGSEGV, &mine, nullptr); return a * b;";
  const char* timing =
      "static timer_t timer; static int made = 0; sigevent silent{}; silent.sigev_notify = SIGEV_NONE;\n"
      "  if (made++ == 0) timer_create(CLOCK_MONOTONIC, &silent, &timer); return a * b;";
  const Report report = run({serving, timing}, /*time=*/true);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(report.kernels[0]->cases[i].notTimed, HasSubstr("page faults (the handling of SIGSEGV)"));
    EXPECT_THAT(report.kernels[1]->cases[i].notTimed, HasSubstr("1 timer"));
  }
}

TEST_F(WorkerState, WhatRanIsKnownOfEveryKernel) {
  const Report report = run({"return a * b;",
                             "auto out = at::empty_like(a); const float *x = a.data_ptr<float>(), *y = "
                             "b.data_ptr<float>();\n  for (int64_t i = 0; i < a.numel(); ++i) "
                             "out.data_ptr<float>()[i] = x[i] * y[i]; return out;"});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(delegatedTo("aten::mul.Tensor", report.kernels[0]->cases[i].check.ran), "aten::mul");
    EXPECT_EQ(delegatedTo("aten::mul.Tensor", report.kernels[1]->cases[i].check.ran), "");
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
