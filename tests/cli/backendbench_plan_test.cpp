// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/backendbench_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/commands/backendbench_command.h"
#include "core/jobs/backendbench/flag_gems.h"
#include "core/jobs/backendbench/serialize_args.h"
#include "core/jobs/backendbench/skips.h"
#include "core/model/operators/operator_name.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string serialized(const std::string& args) {
  const auto text = serializeArgs(args);
  EXPECT_TRUE(text) << describe(text.error());
  return text ? *text : "";
}

TEST(SerializeArgs, PrintsWhatBackendBenchPrintsOfMadeArguments) {
  EXPECT_EQ(serialized("((T([2, 3], f32), T([], f32)), {})"), "((T([2, 3], f32), T([], f32),), {})");
  EXPECT_EQ(serialized("((), {})"), "((), {})");
  EXPECT_EQ(serialized("(([T([2], f16), T([3], f16)], 1), {})"), "(([T([2], f16), T([3], f16)], 1,), {})");
  EXPECT_EQ(serialized("((T([2], f32), 0.5, 1e-05, True, None, -inf), {})"),
            "((T([2], f32), 0.5, 1e-05, True, None, -inf,), {})");
  EXPECT_EQ(serialized("((T([2], f32), [0], (1, 2), (3,)), {})"), "((T([2], f32), [0], (1, 2), (3,),), {})");
}

TEST(SerializeArgs, PrintsStridesOnlyWhereATensorIsNotContiguous) {
  EXPECT_EQ(serialized("((T([2, 3], f32, stride=(3, 1)),), {})"), "((T([2, 3], f32),), {})");
  EXPECT_EQ(serialized("((T([2, 3], f32, stride=(1, 2)),), {})"), "((T([2, 3], f32, [1, 2]),), {})");
  EXPECT_EQ(serialized("((T([1, 3], f32, stride=(77, 1)),), {})"), "((T([1, 3], f32),), {})");
  EXPECT_EQ(serialized("((T([0, 3], f32, stride=(9, 9)),), {})"), "((T([0, 3], f32),), {})");
  EXPECT_EQ(serialized("((T([4, 4], f32, [0, 1]),), {})"), "((T([4, 4], f32, [0, 1]),), {})");
}

TEST(SerializeArgs, PrintsTypesAndKeywordsAsPythonDoes) {
  EXPECT_EQ(serialized("((T([2], f32), f64), {'dtype': f16, 'layout': torch.sparse_coo, 'device': 'cuda'})"),
            "((T([2], f32), torch.float64,), {'dtype': torch.float16, 'layout': torch.sparse_coo, "
            "'device': 'cuda'})");
}

TEST(SerializeArgs, RefusesWhatIsNoCall) {
  EXPECT_FALSE(serializeArgs("T([2], f32)"));
  EXPECT_FALSE(serializeArgs("((T([2], f3"));
}

TEST(SkippedInTraces, PartsOfNamesCountOnlyWhenCopying) {
  EXPECT_TRUE(skippedInTraces("aten::elu_backward", true));
  EXPECT_TRUE(skippedInTraces("aten::elu_backward", false));
  EXPECT_TRUE(skippedInTraces("aten::gelu_backward", true));  // "elu_backward.default" is part of it
  EXPECT_FALSE(skippedInTraces("aten::gelu_backward", false));
  EXPECT_FALSE(skippedInTraces("aten::clone", true));  // glued to cat.names_out there
  EXPECT_TRUE(skippedInTraces("aten::clone", false));
  EXPECT_FALSE(skippedInTraces("aten::gather", true));
  EXPECT_TRUE(skippedInTraces("aten::gather", false));
  EXPECT_TRUE(skippedInTraces("aten::embedding", true));
  EXPECT_FALSE(skippedInTraces("aten::relu", true));
}

class Plan : public CliFixture {
 protected:
  BackendBenchRequest traced(const std::string& ops, bool like) {
    write("trace.txt",
          "Operator: aten._softmax.default\ncnt: 3, ((T([2, 2], f32), 1, False), {})\n"
          "Operator: aten.add.Tensor\ncnt: 1, ((T([2], f32), T([2], f32)), {})\n"
          "cnt: 4, ((T([8], f32), T([8], f32)), {})\ncnt: 4, ((T([8], f32), T([8], f32)), {})\n"
          "cnt: 0, ((T([16], f32), T([16], f32)), {})\n"
          "Operator: aten.addmm.default\ncnt: 1, ((T([2], f32), T([2, 2], f32), T([2, 2], f32)), {})\n"
          "Operator: aten._log_softmax.default\ncnt: 1, ((T([2, 2], f32), 1, False), {})\n"
          "Operator: aten.embedding.default\ncnt: 1, ((T([2, 2], f32), T([1], i64)), {})\n");
    BackendBenchRequest request;
    request.suite = "torchbench";
    request.traceFile = (folder_ / "trace.txt").string();
    request.ops = ops;
    request.like = like;
    return request;
  }
  static std::vector<std::string> kernels(const Result<BackendBenchPlan>& plan) {
    EXPECT_TRUE(plan) << describe(plan.error());
    std::vector<std::string> names;
    if (plan)
      for (const KernelSource& kernel : plan->job.kernels) names.push_back(shortName(kernel.op));
    return names;
  }
};

TEST_F(Plan, SmokeIsBackendBenchsOwnOneOperator) {
  const auto plan = planBackendBench({}, "cpu");
  ASSERT_THAT(kernels(plan), ElementsAre("relu.default"));
  ASSERT_EQ(plan->job.cases.size(), 2u);
  EXPECT_EQ(plan->job.cases[0].args, "((T([2], f32),), {})");
  EXPECT_EQ(plan->job.cases[0].use, CaseUse::check);
  EXPECT_EQ(plan->job.cases[1].args, "((T([1024, 1024], f32),), {})");
  EXPECT_EQ(plan->job.cases[1].use, CaseUse::time);
  EXPECT_EQ(plan->job.tolerance.preset, "torch");
  EXPECT_FALSE(plan->job.checking.likeBackendBench);
  EXPECT_TRUE(plan->job.checking.scoreTrivial);
}

TEST_F(Plan, CopyingSetsTheirTolerance) {
  const auto plan = planBackendBench({.like = true}, "cpu");
  EXPECT_EQ(plan->job.tolerance.preset, "backendbench");
  EXPECT_TRUE(plan->job.checking.likeBackendBench);
}

TEST_F(Plan, ATraceHasEachCallOnceTheLargestFirst) {
  const auto plan = planBackendBench(traced("", false), "cpu");
  EXPECT_THAT(kernels(plan),
              ElementsAre("_softmax.default", "add.Tensor", "addmm.default", "_log_softmax.default"));
  std::vector<std::string> adds;
  for (const Case& each : plan->job.cases)
    if (each.op == "aten::add.Tensor") adds.push_back(each.label.empty() ? each.args : each.label);
  EXPECT_THAT(adds, ElementsAre("((T([8], f32), T([8], f32),), {})", "((T([2], f32), T([2], f32),), {})"));
}

TEST_F(Plan, TopnKeepsTheLargest) {
  BackendBenchRequest request = traced("add.Tensor", false);
  request.topn = 1;
  const auto plan = planBackendBench(request, "cpu");
  ASSERT_EQ(plan->job.cases.size(), 1u);
  EXPECT_THAT(plan->job.cases[0].args, HasSubstr("T([8], f32)"));
  request.suite = "smoke";
  EXPECT_FALSE(planBackendBench(request, "cpu"));
}

TEST_F(Plan, OpsTakeNamesAndGlobsAndPartsOfNamesOnlyWhenCopying) {
  EXPECT_THAT(kernels(planBackendBench(traced("add", false), "cpu")), ElementsAre("add.Tensor"));
  EXPECT_THAT(kernels(planBackendBench(traced("add*", false), "cpu")),
              ElementsAre("add.Tensor", "addmm.default"));
  EXPECT_THAT(kernels(planBackendBench(traced("add", true), "cpu")),
              ElementsAre("add.Tensor", "addmm.default"));
  EXPECT_THAT(kernels(planBackendBench(traced("_softmax.default", true), "cpu")),
              ElementsAre("_softmax.default", "_log_softmax.default"));
  EXPECT_THAT(kernels(planBackendBench(traced("_softmax.default, add.Tensor, tanh", false), "cpu")),
              ElementsAre("_softmax.default", "add.Tensor"));
}

TEST_F(Plan, OpsThatMatchNothingSayWhatIsThere) {
  for (bool like : {false, true}) {
    const auto plan = planBackendBench(traced("tanh", like), "cpu");
    ASSERT_FALSE(plan);
    EXPECT_THAT(describe(plan.error()), HasSubstr("add.Tensor"));
  }
  EXPECT_FALSE(planBackendBench({.ops = "exp"}, "cpu"));
  EXPECT_TRUE(planBackendBench({.ops = "exp", .like = true}, "cpu"));  // smoke ignores --ops there
}

TEST_F(Plan, WhatIsNotHereIsRefusedByName) {
  for (const char* backend : {"llm", "llm-relay", "kernel_agent", "nonsense"}) {
    const auto plan = planBackendBench({.backend = backend}, "cpu");
    ASSERT_FALSE(plan);
    EXPECT_THAT(describe(plan.error()), HasSubstr(backend));
  }
  EXPECT_THAT(describe(planBackendBench({.suite = "facto"}, "cpu").error()), HasSubstr("facto"));
  EXPECT_FALSE(planBackendBench({.suite = "nonsense"}, "cpu"));
  EXPECT_FALSE(planBackendBench({.dtype = "f33"}, "cpu"));
}

TEST_F(Plan, OverheadDominatedRowsNeedTheDataSet) {
  BackendBenchRequest request = traced("", false);
  request.overheadDominated = true;
  EXPECT_THAT(describe(planBackendBench(request, "cpu").error()), HasSubstr(".parquet"));
}

TEST_F(Plan, ADirectoryGivesKernelsForTheOperatorsOfTheSuite) {
  write("kernels/relu__default/relu__default_implementation_v1.py",
        "def relu__default_kernel_impl(x): return x\n");
  write("kernels/exp__default/exp__default_implementation_v1.py",
        "def exp__default_kernel_impl(x): return x\n");
  BackendBenchRequest request{.backend = "directory", .opsDirectory = (folder_ / "kernels").string()};
  const auto plan = planBackendBench(request, "cpu");
  ASSERT_THAT(kernels(plan), ElementsAre("relu.default"));
  EXPECT_EQ(plan->job.kernels[0].language, "python");
  EXPECT_THAT(plan->job.kernels[0].text, HasSubstr("return x"));
}

TEST_F(Plan, OnlyTheFolderOwnNameIsAKernelWhenCopying) {
  write("kernels/relu__default/relu__default_implementation_v1.py", "def relu_kernel_impl(x): return x\n");
  BackendBenchRequest request{.backend = "directory", .opsDirectory = (folder_ / "kernels").string()};
  EXPECT_EQ(kernels(planBackendBench(request, "cpu")).size(), 1u);
  request.like = true;
  EXPECT_FALSE(planBackendBench(request, "cpu"));
}

TEST_F(Plan, ADirectoryWithoutKernelsIsAnError) {
  std::filesystem::create_directories(folder_ / "kernels");
  BackendBenchRequest request{.backend = "directory", .opsDirectory = (folder_ / "kernels").string()};
  EXPECT_FALSE(planBackendBench(request, "cpu"));
  request.like = true;
  const auto plan = planBackendBench(request, "cpu");
  ASSERT_FALSE(plan);
  EXPECT_THAT(describe(plan.error()), HasSubstr("kernels holds no kernels"));
}

TEST_F(Plan, PregeneratedIsADirectoryOfEarlierRuns) {
  write("kernels/run_1/relu/relu_attempt_1.py", "def relu_kernel_impl(x): return x\n");
  BackendBenchRequest request{.backend = "pregenerated", .opsDirectory = (folder_ / "kernels").string()};
  for (const bool like : {false, true}) {
    request.like = like;
    const auto plan = planBackendBench(request, "cpu");
    ASSERT_TRUE(plan) << describe(plan.error());
    ASSERT_EQ(plan->job.kernels.size(), 1u);
    EXPECT_THAT(plan->job.kernels[0].path, HasSubstr("run_1/relu/relu_attempt_1.py"));
    EXPECT_THAT(plan->loaded, HasSubstr("kernels/run_1/"));
  }
  request.backend = "directory";
  const auto plan = planBackendBench(request, "cpu");
  ASSERT_FALSE(plan);
  EXPECT_THAT(describe(plan.error()), HasSubstr("--backend pregenerated"));
}

TEST(FlagGems, SourcesImportThePackageBeforeModulesThatItMakesKnown) {
  const std::string source = flagGemsSource("aten::mm", "hopper.ops.mm", "mm", false);
  const auto package = source.find("import flag_gems\n"), module = source.find("from hopper.ops.mm");
  ASSERT_NE(package, std::string::npos);
  EXPECT_LT(package, module);
}

TEST(FlagGems, SourcesHaveBackendBenchsAdaptersOnlyWhenCopying) {
  EXPECT_THAT(flagGemsSource("aten::add.Tensor", "flag_gems.ops", "add", true),
              HasSubstr("from flag_gems.ops import add as _function\n\n\ndef add__Tensor_kernel_impl(*args"));
  const std::string copied = flagGemsSource("aten::native_layer_norm", "flag_gems.ops", "layer_norm", true);
  EXPECT_THAT(copied, HasSubstr("_function(*args[:-1], **kwargs)"));
  EXPECT_THAT(copied, HasSubstr("input.shape[:-1]) + [1]"));
  EXPECT_THAT(flagGemsSource("aten::native_layer_norm", "flag_gems.ops", "layer_norm", false),
              HasSubstr("_function(*args, **kwargs)"));
}

Report withFailedKernel(Stage stage) {
  Job job;
  job.kernels.push_back({});
  job.kernels[0].op = "aten::neg";
  Report report = startReport(job);
  Error error{stage, "ImportError: on purpose", {}, {}};
  error.type = "<class 'ImportError'>";
  fold(report, StageFailed{0, error});
  return report;
}

Report withText(const std::string& text) {
  KernelReport kernel;
  kernel.source.text = text;
  CaseRow row;
  row.definition.use = CaseUse::check;
  row.check.verdict = Verdict::mismatch;
  row.check.errors.emplace().maxAbs = 0.009;
  kernel.cases.push(row);
  Report report;
  report.device = "cuda:0";
  report.kernels.emplace_back(std::move(kernel));
  return report;
}

TEST(Corrections, NameWhatBackendBenchWouldHaveLetPassOrSkipped) {
  EXPECT_THAT(
      corrections(withText("s = torch.cuda.Stream()"), {}),
      ElementsAre(HasSubstr("1 case failed with no error above 0.01"), HasSubstr("1 kernel run though")));
  EXPECT_EQ(corrections(withText("torch.cuda.current_stream()"), {}).size(), 1u);
  EXPECT_EQ(corrections(withText("create_stream(x)"), {}).size(), 2u);
}

TEST(UnloadedKernels, CountAsFailedCases) {
  Case one, other;
  one.op = "aten::neg";
  other.op = "aten::abs";
  const Report report = withUnloadedKernels(withFailedKernel(Stage::compile), {one, one, other});
  ASSERT_EQ(report.kernels[0]->cases.size(), 2u);
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::threw);
  EXPECT_EQ(report.kernels[0]->cases[0].check.errorType, "<class 'ImportError'>");
  EXPECT_EQ(counts(report).failed, 2);
  EXPECT_THAT(corrections(report, {}),
              testing::Contains(HasSubstr("1 kernel that did not load counted as failed: neg.default")));
}

TEST(UnloadedKernels, AMachineWithoutPythonIsNoFaultOfTheKernel) {
  Case one;
  one.op = "aten::neg";
  EXPECT_TRUE(withUnloadedKernels(withFailedKernel(Stage::setup), {one}).kernels[0]->cases.empty());
}

TEST(Corrections, NameWhatHappenedInThisRunOnly) {
  EXPECT_THAT(corrections({}, {}), ElementsAre());
  KernelReport kernel;
  for (const Verdict verdict : {Verdict::pass, Verdict::changedInput}) {
    CaseRow row;
    row.definition.op = "aten::add_.Tensor";
    row.definition.use = CaseUse::check;
    row.check.verdict = verdict;
    kernel.cases.push(row);
  }
  Report report;
  report.kernels.emplace_back(std::move(kernel));
  EXPECT_THAT(corrections(report, {}),
              ElementsAre(HasSubstr("2 in-place cases compared with a clean clone"),
                          HasSubstr("1 case failed because the kernel changed an input")));
}

}  // namespace
}  // namespace wb
