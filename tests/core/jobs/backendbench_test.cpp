// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/job_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/jobs/backendbench/flag_gems.h"
#include "core/jobs/backendbench/serialize_args.h"
#include "core/jobs/backendbench/skips.h"
#include "core/model/operators/operator_name.h"
#include "tests/core/jobs/folder_fixture.h"

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

/// What BackendBench's options say, as far as these tests need them.
struct Asked {
  std::string suite = "smoke", backend = "aten", ops{}, traceFile{}, opsDirectory = "generated_kernels";
  std::string dtype = "auto";
  int topn = 0;
  bool overheadDominated = false, like = false;
};

Result<PlannedJob> planned(const Asked& asked) {
  JobRequest request;
  request.suite = asked.suite;
  request.dtype = asked.dtype;
  request.topn = asked.topn;
  if (!asked.ops.empty()) {
    std::stringstream names(asked.ops);
    for (std::string name; std::getline(names >> std::ws, name, ',');) request.operators.push_back(name);
  }
  request.checking.likeBackendBench = asked.like;
  request.backendBench =
      BackendBenchChoice{asked.backend, asked.opsDirectory, asked.traceFile, asked.overheadDominated};
  return planJob(request);
}

class Plan : public FolderFixture {
 protected:
  Asked traced(const std::string& ops, bool like) {
    write("trace.txt",
          "Operator: aten._softmax.default\ncnt: 3, ((T([2, 2], f32), 1, False), {})\n"
          "Operator: aten.add.Tensor\ncnt: 1, ((T([2], f32), T([2], f32)), {})\n"
          "cnt: 4, ((T([8], f32), T([8], f32)), {})\ncnt: 4, ((T([8], f32), T([8], f32)), {})\n"
          "cnt: 0, ((T([16], f32), T([16], f32)), {})\n"
          "Operator: aten.addmm.default\ncnt: 1, ((T([2], f32), T([2, 2], f32), T([2, 2], f32)), {})\n"
          "Operator: aten._log_softmax.default\ncnt: 1, ((T([2, 2], f32), 1, False), {})\n"
          "Operator: aten.embedding.default\ncnt: 1, ((T([2, 2], f32), T([1], i64)), {})\n");
    Asked request;
    request.suite = "torchbench";
    request.traceFile = (folder_ / "trace.txt").string();
    request.ops = ops;
    request.like = like;
    return request;
  }
  static std::vector<std::string> kernels(const Result<PlannedJob>& plan) {
    EXPECT_TRUE(plan) << describe(plan.error());
    std::vector<std::string> names;
    if (plan)
      for (const KernelSource& kernel : plan->job.kernels) names.push_back(shortName(kernel.op));
    return names;
  }
};

TEST_F(Plan, SmokeIsBackendBenchsOwnOneOperator) {
  const auto plan = planned({});
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
  const auto plan = planned({.like = true});
  EXPECT_EQ(plan->job.tolerance.preset, "backendbench");
  EXPECT_TRUE(plan->job.checking.likeBackendBench);
}

TEST_F(Plan, ATraceHasEachCallOnceTheLargestFirst) {
  const auto plan = planned(traced("", false));
  EXPECT_THAT(kernels(plan),
              ElementsAre("_softmax.default", "add.Tensor", "addmm.default", "_log_softmax.default"));
  std::vector<std::string> adds;
  for (const Case& each : plan->job.cases)
    if (each.op == "aten::add.Tensor") adds.push_back(each.label.empty() ? each.args : each.label);
  EXPECT_THAT(adds, ElementsAre("((T([8], f32), T([8], f32),), {})", "((T([2], f32), T([2], f32),), {})"));
}

TEST_F(Plan, TopnKeepsTheLargest) {
  Asked request = traced("add.Tensor", false);
  request.topn = 1;
  const auto plan = planned(request);
  ASSERT_EQ(plan->job.cases.size(), 1u);
  EXPECT_THAT(plan->job.cases[0].args, HasSubstr("T([8], f32)"));
  request.suite = "smoke";
  EXPECT_FALSE(planned(request));
}

TEST_F(Plan, OpsTakeNamesAndGlobsAndPartsOfNamesOnlyWhenCopying) {
  EXPECT_THAT(kernels(planned(traced("add", false))), ElementsAre("add.Tensor"));
  EXPECT_THAT(kernels(planned(traced("add*", false))), ElementsAre("add.Tensor", "addmm.default"));
  EXPECT_THAT(kernels(planned(traced("add", true))), ElementsAre("add.Tensor", "addmm.default"));
  EXPECT_THAT(kernels(planned(traced("_softmax.default", true))),
              ElementsAre("_softmax.default", "_log_softmax.default"));
  EXPECT_THAT(kernels(planned(traced("_softmax.default, add.Tensor, tanh", false))),
              ElementsAre("_softmax.default", "add.Tensor"));
}

TEST_F(Plan, OpsThatMatchNothingSayWhatIsThere) {
  for (bool like : {false, true}) {
    const auto plan = planned(traced("tanh", like));
    ASSERT_FALSE(plan);
    EXPECT_THAT(describe(plan.error()), HasSubstr("add.Tensor"));
  }
  EXPECT_FALSE(planned({.ops = "exp"}));
  EXPECT_TRUE(planned({.ops = "exp", .like = true}));  // smoke ignores --ops there
}

TEST_F(Plan, WhatIsNotHereIsRefusedByName) {
  for (const char* backend : {"llm", "llm-relay", "kernel_agent", "nonsense"}) {
    const auto plan = planned({.backend = backend});
    ASSERT_FALSE(plan);
    EXPECT_THAT(describe(plan.error()), HasSubstr(backend));
  }
  EXPECT_THAT(describe(planned({.suite = "facto"}).error()), HasSubstr("facto"));
  EXPECT_FALSE(planned({.suite = "nonsense"}));
  EXPECT_FALSE(planned({.dtype = "f33"}));
}

TEST_F(Plan, OverheadDominatedRowsNeedTheDataSet) {
  Asked request = traced("", false);
  request.overheadDominated = true;
  EXPECT_THAT(describe(planned(request).error()), HasSubstr(".parquet"));
}

TEST_F(Plan, ADirectoryGivesKernelsForTheOperatorsOfTheSuite) {
  write("kernels/relu__default/relu__default_implementation_v1.py",
        "def relu__default_kernel_impl(x): return x\n");
  write("kernels/exp__default/exp__default_implementation_v1.py",
        "def exp__default_kernel_impl(x): return x\n");
  Asked request{.backend = "directory", .opsDirectory = (folder_ / "kernels").string()};
  const auto plan = planned(request);
  ASSERT_THAT(kernels(plan), ElementsAre("relu.default"));
  EXPECT_EQ(plan->job.kernels[0].language, "python");
  EXPECT_THAT(plan->job.kernels[0].text, HasSubstr("return x"));
}

TEST_F(Plan, OnlyTheFolderOwnNameIsAKernelWhenCopying) {
  write("kernels/relu__default/relu__default_implementation_v1.py", "def relu_kernel_impl(x): return x\n");
  Asked request{.backend = "directory", .opsDirectory = (folder_ / "kernels").string()};
  EXPECT_EQ(kernels(planned(request)).size(), 1u);
  request.like = true;
  EXPECT_FALSE(planned(request));
}

TEST_F(Plan, ADirectoryWithoutKernelsIsAnError) {
  std::filesystem::create_directories(folder_ / "kernels");
  Asked request{.backend = "directory", .opsDirectory = (folder_ / "kernels").string()};
  EXPECT_FALSE(planned(request));
  request.like = true;
  const auto plan = planned(request);
  ASSERT_FALSE(plan);
  EXPECT_THAT(describe(plan.error()), HasSubstr("kernels holds no kernels"));
}

TEST_F(Plan, PregeneratedIsADirectoryOfEarlierRuns) {
  write("kernels/run_1/relu/relu_attempt_1.py", "def relu_kernel_impl(x): return x\n");
  Asked request{.backend = "pregenerated", .opsDirectory = (folder_ / "kernels").string()};
  for (const bool like : {false, true}) {
    request.like = like;
    const auto plan = planned(request);
    ASSERT_TRUE(plan) << describe(plan.error());
    ASSERT_EQ(plan->job.kernels.size(), 1u);
    EXPECT_THAT(plan->job.kernels[0].path, HasSubstr("run_1/relu/relu_attempt_1.py"));
    EXPECT_THAT(plan->loaded, HasSubstr("kernels/run_1/"));
  }
  request.backend = "directory";
  const auto plan = planned(request);
  ASSERT_FALSE(plan);
  EXPECT_THAT(describe(plan.error()), HasSubstr("read it as the backend pregenerated"));
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

}  // namespace
}  // namespace wb
