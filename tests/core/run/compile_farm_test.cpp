// SPDX-License-Identifier: Apache-2.0
// Who compiles kernels for whom, and in which order they are then run.
#include "core/run/ahead/compile_farm.h"

#include <gmock/gmock.h>

#include "core/run/dealer.h"
#include "core/run/job_parts.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using State = CompileFarm::State;

constexpr std::size_t gpu = 0, cpu = 1;

BuildFacts factsOf(const std::string& host, const std::string& architecture = "") {
  return {host,         "x86-64",       "Debian clang version 14.0.6",
          "2.36",       "libstdc++ 12", "2.11.0+cu130 of 70d9",
          "NVRTC 13.0", architecture};
}

/// Kernels of three cases each.
Job kernelsIn(const std::vector<std::string>& languages, bool times = true) {
  Job job;
  for (std::size_t k = 0; k < languages.size(); ++k) {
    const std::string op = "op" + std::to_string(k);
    job.kernels.push_back({.path = op, .text = "", .language = languages[k], .op = op});
    for (int i = 0; i < 3; ++i) job.cases.push_back({.op = "aten::" + op, .args = std::to_string(i)});
  }
  job.stages.set(Stage::time, times);
  return job;
}

TEST(CompileFarm, OneMachineBuildsForAnotherThatHasTheSame) {
  const BuildFacts builder = factsOf("node1"), target = factsOf("gpubox", "sm_90");
  for (const char* language : {"torch_cpp", "torch_cuda", "raw_cuda"})
    EXPECT_EQ(whyNotFor(builder, target, language, true), "") << language;
  EXPECT_NE(whyNotFor(builder, target, "triton", true), "");
  EXPECT_TRUE(isBuiltAhead("raw_cuda"));
  EXPECT_FALSE(isBuiltAhead("python"));
  EXPECT_FALSE(isBuiltAhead("aten"));
}

TEST(CompileFarm, WhatDiffersIsSaid) {
  const auto why = [](auto change, const std::string& language = "torch_cpp") {
    BuildFacts builder = factsOf("node1");
    change(builder);
    return whyNotFor(builder, factsOf("gpubox", "sm_90"), language, true);
  };
  EXPECT_EQ(why([](BuildFacts& f) { f.compiler = ""; }), "it has no C++ compiler");
  EXPECT_EQ(why([](BuildFacts& f) { f.machine = "aarch64"; }), "its processor is aarch64, and x86-64 there");
  EXPECT_THAT(why([](BuildFacts& f) { f.torch = "2.11.0+cpu of 70d9"; }),
              HasSubstr("its torch is 2.11.0+cpu"));
  EXPECT_THAT(why([](BuildFacts& f) { f.compiler = "g++ 12"; }), HasSubstr("its C++ compiler is g++ 12"));
  EXPECT_EQ(why([](BuildFacts& f) { f.cLibrary = "2.41"; }), "its C library is newer (2.41, and 2.36 there)");
  EXPECT_EQ(why([](BuildFacts& f) { f.cLibrary = "2.9"; }), "");
  EXPECT_THAT(why([](BuildFacts& f) { f.cppLibrary = "libstdc++ 14"; }), HasSubstr("C++ library is newer"));
  EXPECT_THAT(why([](BuildFacts& f) { f.host = "gpubox"; }), HasSubstr("would disturb what is timed there"));
  // Binaries of the GPU need neither the processor nor the compiler of its host.
  const auto other = [](BuildFacts& f) { f.machine = "aarch64", f.compiler = "", f.torch = "other"; };
  EXPECT_EQ(why(other, "raw_cuda"), "");
  EXPECT_NE(why(other, "torch_cuda"), "");
  EXPECT_EQ(why([](BuildFacts& f) { f.cudaCompiler = ""; }, "raw_cuda"), "it has no NVRTC");
  EXPECT_THAT(why([](BuildFacts& f) { f.cudaCompiler = "NVRTC 13.1"; }, "raw_cuda"),
              HasSubstr("its NVRTC is"));
  // Where nothing is timed nothing is disturbed.
  EXPECT_EQ(whyNotFor(factsOf("one"), factsOf("one", "sm_90"), "torch_cpp", false), "");
}

TEST(CompileFarm, TellsOnceWhoDoesWhat) {
  const Job job = kernelsIn({"torch_cpp", "raw_cuda", "triton"});
  const Report report = startReport(job);
  CompileFarm farm(job, report, {false, true, false, true});
  EXPECT_TRUE(farm.hasWork());
  EXPECT_THAT(farm.know(cpu, factsOf("node1")), IsEmpty());
  auto decisions = farm.know(gpu, factsOf("gpubox", "sm_90"));
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(decisions[0].builder, cpu);
  EXPECT_EQ(decisions[0].target, gpu);
  EXPECT_THAT(decisions[0].languages, ElementsAre("torch_cpp", "raw_cuda"));
  EXPECT_THAT(decisions[0].refused, IsEmpty());
  // Another place of the same kind, and one that builds for another machine.
  EXPECT_THAT(farm.know(2, factsOf("gpubox2", "sm_90")), IsEmpty());
  BuildFacts arm = factsOf("node2");
  arm.machine = "aarch64";
  decisions = farm.know(3, arm);
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_THAT(decisions[0].languages, ElementsAre("raw_cuda"));
  ASSERT_EQ(decisions[0].refused.size(), 1U);
  EXPECT_THAT(decisions[0].refused[0].second, HasSubstr("its processor is aarch64"));
  EXPECT_THAT(farm.know(3, arm), IsEmpty());
}

TEST(CompileFarm, WithoutKernelsOrPlacesForThemThereIsNothingToDo) {
  const Job python = kernelsIn({"python", "triton", "aten"}), cpp = kernelsIn({"torch_cpp"});
  const Report ofPython = startReport(python), ofCpp = startReport(cpp);
  EXPECT_FALSE(CompileFarm(python, ofPython, {false, true}).hasWork());
  EXPECT_FALSE(CompileFarm(cpp, ofCpp, {false, false}).hasWork());
  CompileFarm none(cpp, ofCpp, {false, false});
  EXPECT_EQ(none.state(gpu, 0), State::own);
  Job sanitized = cpp;
  sanitized.stages.add(Stage::sanitize);
  EXPECT_FALSE(CompileFarm(sanitized, ofCpp, {false, true}).hasWork());
}

/// One place with a GPU, and one without that compiles for it.
class Farm : public testing::Test {
 protected:
  explicit Farm(const std::vector<std::string>& languages = {"torch_cpp", "torch_cpp", "torch_cpp",
                                                             "torch_cpp"})
      : job(kernelsIn(languages)) {}
  void know(const BuildFacts& builder = factsOf("node1")) {
    farm.know(gpu, factsOf("gpubox", "sm_90"));
    farm.know(cpu, builder);
  }
  /// The kernels that a place gets now.
  std::vector<std::uint32_t> deal() {
    std::vector<std::uint32_t> kernels;
    if (const auto work = dealer.next(gpu))
      for (const KernelWork& each : work->kernels) kernels.push_back(each.kernel);
    return kernels;
  }
  /// The place with the GPU has compiled and checked what it has.
  void run() {
    const JobWork work = dealer.work(gpu);
    for (const KernelWork& each : work.kernels) {
      Compiled compiled;
      compiled.cases.resize(3);
      fold(report, compiledStep(compiled, each.kernel));
      for (std::uint32_t i = 0; i < 3; ++i) {
        fold(report, checkedStep(each.kernel, i, Verdict::pass));
        fold(report, StepDone{Stage::time, each.kernel, i, CaseTiming{}});
      }
    }
    dealer.end(gpu);
  }
  std::optional<std::uint32_t> begin() {
    const auto task = farm.next(cpu, dealer.uncompiled());
    return task ? std::optional(task->kernel) : std::nullopt;
  }
  void build() {
    EXPECT_TRUE(farm.take(cpu, {"key", "", "binary", ""}));
    farm.end(cpu);
  }

  Job job;
  Report report = startReport(job);
  CompileFarm farm{job, report, {false, true}};
  Dealer dealer{job, report, {0, Dealer::noDevice}, &farm};
};

TEST_F(Farm, KernelsAreCompiledWhileOthersRun) {
  know();
  EXPECT_THAT(deal(), ElementsAre(0));  // it compiles the first one itself
  EXPECT_EQ(begin(), 1);
  EXPECT_EQ(farm.state(gpu, 1), State::underWay);
  EXPECT_EQ(farm.built(gpu, 1), nullptr);
  build();
  EXPECT_EQ(begin(), 2);
  build();
  EXPECT_EQ(begin(), 3);
  run();
  EXPECT_THAT(deal(), ElementsAre(1, 2));  // what is built
  ASSERT_NE(farm.built(gpu, 2), nullptr);
  EXPECT_EQ(farm.built(gpu, 2)->files.size(), 1U);
  EXPECT_EQ(farm.built(gpu, 2)->builder, cpu);
  build();
  run();
  EXPECT_THAT(deal(), ElementsAre(3));
  run();
  EXPECT_TRUE(dealer.isOver());
  EXPECT_FALSE(begin());
}

TEST_F(Farm, NobodyWaitsForWhatIsNotBuilt) {
  know();
  EXPECT_EQ(begin(), 0);
  EXPECT_THAT(deal(), ElementsAre(1));  // nobody is at it
  EXPECT_FALSE(farm.isSuperfluous(cpu, dealer.uncompiled()));
  run();
  EXPECT_THAT(deal(), ElementsAre(2));
  run();
  EXPECT_THAT(deal(), ElementsAre(3));
  run();
  EXPECT_THAT(deal(), ElementsAre(0));  // although it is being compiled
  EXPECT_TRUE(farm.isSuperfluous(cpu, dealer.uncompiled()));
  farm.giveBack(cpu);
  EXPECT_FALSE(farm.isAnyAtWork());
  EXPECT_FALSE(begin());
  run();
  EXPECT_TRUE(dealer.isOver());
}

TEST_F(Farm, WhereNobodyMayCompileAheadAllIsAsItWas) {
  BuildFacts other = factsOf("node1");
  other.torch = "2.11.0+cpu of 70d9";
  EXPECT_TRUE(farm.mayUse(cpu, dealer.uncompiled()));  // it is not known yet
  know(other);
  EXPECT_FALSE(farm.mayUse(cpu, dealer.uncompiled()));
  EXPECT_FALSE(begin());
  EXPECT_EQ(farm.state(gpu, 0), State::own);
  EXPECT_THAT(deal(), ElementsAre(0, 1, 2, 3));
}

TEST_F(Farm, APlaceThatCompilesRunsNoCases) {
  know();
  EXPECT_FALSE(dealer.mayUse(cpu));
  EXPECT_FALSE(dealer.next(cpu));
  EXPECT_FALSE(dealer.recall(cpu, 0));
  EXPECT_EQ(dealer.uncompiled().size(), 4U);
}

TEST_F(Farm, WhatALostCompilerWasAtIsCompiledWhereItRuns) {
  know();
  EXPECT_EQ(begin(), 0);
  EXPECT_TRUE(farm.take(cpu, {"key", "", "half of it", ""}));
  EXPECT_FALSE(farm.lose(cpu));
  EXPECT_EQ(farm.state(gpu, 0), State::own);
  EXPECT_EQ(farm.built(gpu, 0), nullptr);
  EXPECT_EQ(begin(), 1);
  EXPECT_TRUE(farm.lose(cpu));  // once more, and it gets nothing more
  EXPECT_FALSE(begin());
  EXPECT_FALSE(farm.mayUse(cpu, dealer.uncompiled()));
  EXPECT_THAT(deal(), ElementsAre(0, 1, 2, 3));
}

TEST_F(Farm, APlaceThatRunsNoCasesIsNoBetterThanOneThatFails) {
  know();
  dealer.faults().note(gpu, std::nullopt);
  dealer.faults().note(gpu, std::nullopt);
  EXPECT_FALSE(dealer.isOut(gpu));
  farm.leave(cpu);
  EXPECT_FALSE(begin());
  EXPECT_THAT(deal(), ElementsAre(0, 1, 2, 3));
}

TEST_F(Farm, WhatCouldNotBeBuiltIsCompiledWhereItRuns) {
  know();
  EXPECT_EQ(begin(), 0);
  farm.end(cpu);
  EXPECT_EQ(farm.state(gpu, 0), State::own);
  EXPECT_EQ(begin(), 1);
}

TEST_F(Farm, WhatIsTooMuchToKeepIsNotKept) {
  CompileFarm small(job, report, {false, true}, 100);
  small.know(gpu, factsOf("gpubox", "sm_90"));
  small.know(cpu, factsOf("node1"));
  ASSERT_TRUE(small.next(cpu, {0, 1}));
  const BuiltFile file{"key", "about", std::string(40, 'x'), ""};
  EXPECT_TRUE(small.take(cpu, file));
  EXPECT_TRUE(small.take(cpu, file));
  EXPECT_FALSE(small.take(cpu, file));
  small.end(cpu);
  EXPECT_EQ(small.built(gpu, 0)->files.size(), 2U);
  // What is given back leaves room.
  ASSERT_TRUE(small.next(cpu, {1}));
  EXPECT_TRUE(small.take(cpu, {"key", "", "0123456789", ""}));
  EXPECT_FALSE(small.take(cpu, {"key", "", "1", ""}));
  small.giveBack(cpu);
  ASSERT_TRUE(small.next(cpu, {1}));
  EXPECT_TRUE(small.take(cpu, {"key", "", "0123456789", ""}));
}

class MixedFarm : public Farm {
 protected:
  MixedFarm() : Farm({"triton", "torch_cpp", "python", "torch_cpp"}) {}
};

TEST_F(MixedFarm, KernelsThatNeedNoCompilerRunMeanwhile) {
  know();
  EXPECT_EQ(begin(), 1);
  EXPECT_THAT(deal(), ElementsAre(0, 2));
  build();
  EXPECT_EQ(begin(), 3);
  run();
  EXPECT_THAT(deal(), ElementsAre(1));
}

TEST(CompileFarm, SeveralGpusOfTwoKindsGetTheirOwn) {
  const Job job = kernelsIn({"raw_cuda", "raw_cuda", "raw_cuda"});
  Report report = startReport(job);
  CompileFarm farm(job, report, {false, false, true});
  const Dealer dealer(job, report, {0, 1, Dealer::noDevice}, &farm);
  farm.know(0, factsOf("a", "sm_80"));
  farm.know(1, factsOf("b", "sm_90"));
  farm.know(2, factsOf("c"));
  auto task = farm.next(2, dealer.uncompiled());
  ASSERT_TRUE(task);
  EXPECT_EQ(task->architecture, "sm_80");
  EXPECT_TRUE(farm.take(2, {"for 80", "", "x", ""}));
  farm.end(2);
  EXPECT_EQ(farm.state(0, task->kernel), State::built);
  EXPECT_EQ(farm.state(1, task->kernel), State::open);
  const auto second = farm.next(2, dealer.uncompiled());
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kernel, task->kernel);
  EXPECT_EQ(second->architecture, "sm_90");
}

}  // namespace
}  // namespace wb
