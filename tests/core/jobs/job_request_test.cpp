// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/job_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/jobs/effort.h"
#include "core/jobs/request_words.h"
#include "tests/core/jobs/folder_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr const char* reluText =
    "#include <torch/extension.h>\nat::Tensor relu(const at::Tensor& self) { return self.clamp_min(0); }\n";

class Request : public FolderFixture {
 protected:
  /// A request for two cases, of relu and of exp.
  JobRequest small() {
    JobRequest request;
    request.suite = write("two.txt",
                          "Operator: aten.relu.default\ncnt: 1, ((T([5], f32),), {})\n"
                          "Operator: aten.exp.default\ncnt: 1, ((T([5], f32),), {})\n")
                        .string();
    return request;
  }
};

TEST_F(Request, ABufferIsTakenAsItIsWithWhatTheRequestSaysOfIt) {
  JobRequest request = small();
  request.op = "relu";
  KernelSource buffer;
  buffer.path = "untitled.cpp";
  buffer.text = reluText;
  request.sources = {buffer};
  const auto job = makeJob(request);
  ASSERT_TRUE(job) << describe(job.error());
  ASSERT_EQ(job->kernels.size(), 1U);
  EXPECT_EQ(job->kernels[0].text, reluText);
  EXPECT_EQ(job->kernels[0].op, "relu");
  EXPECT_EQ(job->kernels[0].language, "") << "the worker sees by the name and the text";
  EXPECT_EQ(job->suite, "two.txt");
  EXPECT_EQ(job->cases.size(), 2U);
}

TEST_F(Request, OneCaseRunsAloneByItsArguments) {
  JobRequest request = small();
  request.suite =
      write("shapes.txt",
            "Operator: aten.relu.default\ncnt: 1, ((T([5], f32),), {})\ncnt: 1, ((T([7, 3], f32),), {})\n")
          .string();
  request.op = "relu";
  request.only = "((T([7, 3], f32),), {})";
  const auto job = makeJob(request);
  ASSERT_TRUE(job) << describe(job.error());
  ASSERT_EQ(job->cases.size(), 1U);
  EXPECT_EQ(job->cases[0].shapes, "7×3");
  request.only = "";
  const auto all = makeJob(request);
  ASSERT_TRUE(all);
  EXPECT_EQ(job->cases[0], all->cases.at(1)) << "with the seed that it has among the others";
  request.only = "((T([8], f32),), {})";
  const auto none = makeJob(request);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text, HasSubstr("no case of shapes.txt has the arguments"));
}

TEST_F(Request, WindowAndCommandLineGetTheSameJobOfOneFile) {
  JobRequest file = small(), buffer = small();
  file.files = {write("relu.cpp", reluText).string()};
  KernelSource text;
  text.path = file.files[0];
  text.text = reluText;
  text.language = "torch_cpp";
  buffer.sources = {text};
  file.tolerance = buffer.tolerance = {"given", 1e-3, 1e-5};
  file.limits.caseSeconds = buffer.limits.caseSeconds = 7;
  file.timing.capSeconds = buffer.timing.capSeconds = capSeconds(Effort::quick);
  const auto a = makeJob(file), b = makeJob(buffer);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
}

TEST_F(Request, AStrictJudgeRaisesWallsOfItsOwn) {
  JobRequest request = small();
  request.sources = {{"relu.cpp", reluText, "", "", "", ""}};
  EXPECT_FALSE(makeJob(request)->strict);
  request.strict = true;
  EXPECT_TRUE(makeJob(request)->strict);
  request.device = "cuda:0";
  EXPECT_TRUE(makeJob(request)->strict);
  request.sandbox = true;
  const auto refused = makeJob(request);
  ASSERT_FALSE(refused);
  EXPECT_THAT(describe(refused.error()), HasSubstr("leave --sandbox out"));
}

TEST_F(Request, OneUnreadableFileOfAFolderIsLeftOutAndNamed) {
  JobRequest request = small();
  write("kernels/relu.cpp", reluText);
  write("kernels/binary.cpp", std::string("a\0b", 3));
  request.files = {(folder_ / "kernels").string()};
  const auto plan = planJob(request);
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_EQ(plan->job.kernels.size(), 1U);
  ASSERT_EQ(plan->leftOut.size(), 1U);
  EXPECT_THAT(describe(plan->leftOut[0]), HasSubstr("binary.cpp"));
}

TEST_F(Request, OperatorFoldersGiveKernelsForTheOperatorsOfTheSuite) {
  for (const std::string op : {"relu", "tanh"})
    write("ops/" + op + "__default/" + op + "__default_implementation_v1.py", "def f(x): return x\n");
  JobRequest request = small();
  request.files = {(folder_ / "ops").string()};
  request.operatorFolders = true;
  const auto job = makeJob(request);
  ASSERT_TRUE(job) << describe(job.error());
  ASSERT_EQ(job->kernels.size(), 1U);
  EXPECT_EQ(job->kernels[0].op, "aten::relu");
  request.operatorFolders = false;
  EXPECT_FALSE(makeJob(request)) << "as a plain folder it holds no kernel";
}

TEST_F(Request, ANamedOperatorOfASuiteWithoutKernelsRunsAgainstItself) {
  JobRequest request = small();
  EXPECT_EQ(makeJob(request)->kernels.size(), 2U) << "a suite that was chosen stands for its operators";
  request.operators = {"exp"};
  const auto job = makeJob(request);
  ASSERT_EQ(job->kernels.size(), 1U);
  EXPECT_EQ(job->kernels[0].language, "aten");
  EXPECT_EQ(job->cases.size(), 1U);
  EXPECT_FALSE(makeJob({})) << "nothing was asked for";
}

TEST_F(Request, CasesBesideSeveralKernelsComeTogetherOnce) {
  JobRequest request;
  request.suite = "beside";
  for (const std::string name : {"a", "b"}) {
    request.files.push_back(write(name + ".cpp", reluText).string());
    write(name + ".cases.txt", "Operator: aten.relu.default\ncnt: 1, ((T([5], f32),), {})\ncnt: 1, ((T([" +
                                   std::to_string(name[0]) + "], f32),), {})\n");
  }
  const auto job = makeJob(request);
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->cases.size(), 3U);
}

TEST_F(Request, AMissingProblemOrLanguageIsAnError) {
  JobRequest request = small();
  request.files = {write("relu.cpp", reluText).string()};
  request.language = "cobol";
  EXPECT_THAT(describe(makeJob(request).error()), HasSubstr("cobol"));
  request.language = "";
  request.problem = "absent.py";
  EXPECT_THAT(describe(makeJob(request).error()), HasSubstr("absent.py"));
}

TEST(Effort, PresetsAreOrderedAsTheyAreNamed) {
  for (const EffortPreset& preset : effortPresets)
    EXPECT_EQ(capSeconds(preset.effort), preset.capSeconds) << preset.name;
  EXPECT_EQ(TimingPlan{}.capSeconds, capSeconds(Effort::standard));
}

TEST(RequestWords, AreReadOrNamed) {
  EXPECT_EQ(toleranceOf("strict")->preset, "strict");
  EXPECT_DOUBLE_EQ(toleranceOf("1e-3, 2e-5")->atol, 2e-5);
  EXPECT_FALSE(toleranceOf("1e-3,2,3"));
  EXPECT_TRUE(sectionsOf({"none"})->empty());
  EXPECT_THAT(sectionsOf({"memmory"}).error().hint, HasSubstr("memory"));
}

}  // namespace
}  // namespace wb
