// SPDX-License-Identifier: Apache-2.0
// Problems in KernelBench's form: the reference is given code, too, and runs in a guest of its own.
#include <chrono>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "tests/engine/strict/strict_fixture.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr const char* model = R"(import torch
class Model(torch.nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.linear = torch.nn.Linear(n, m)
    def forward(self, x, scale: float, more):
        return torch.relu(self.linear(x)) * scale, x + more[0]
def get_inputs():
    return [torch.rand(8, 4), 2.5, [torch.rand(8, 4)]]
def get_init_inputs():
    return [4, 6]
)";

constexpr const char* modelNew = R"(import torch
class ModelNew(torch.nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.linear = torch.nn.Linear(n, m)
    def forward(self, x, scale, more):
        y = torch.addmm(self.linear.bias, x, self.linear.weight.t())
        return y.clamp_(min=0).mul_(scale), x + more[0]
)";

constexpr const char* doubling = R"(import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + x
def get_inputs():
    return [torch.rand(8, 4)]
def get_init_inputs():
    return []
)";

class StrictProblems : public StrictWorker {
 protected:
  static Job problem(const std::string& candidate, const std::string& reference) {
    Job job = jobOf("new.py", candidate);
    job.kernels[0].referencePath = "problem.py";
    job.kernels[0].referenceText = reference;
    job.cases.clear();
    return job;
  }
};

TEST_F(StrictProblems, ModelAndModelNewAreJudgedAndTimedInAGuestEach) {
  Job job = problem(modelNew, model);
  job.stages.add(Stage::time);
  job.timing.capSeconds = 0.1;
  const Report report = run(job);
  ASSERT_FALSE(report.kernels[0]->failure) << describe(*report.kernels[0]->failure);
  ASSERT_EQ(verdicts(report).size(), 3U);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message;
  const CaseRow& row = report.kernels[0]->cases[0];
  ASSERT_TRUE(row.timing) << row.notTimed;
  EXPECT_GT(row.timing->reference, 0);
  EXPECT_GT(row.timing->candidate, 0);
}

TEST_F(StrictProblems, AWrongModelNewIsFound) {
  std::string wrong = modelNew;
  wrong.replace(wrong.find("x + more[0]"), 11, "x * more[0]");
  EXPECT_THAT(verdicts(run(problem(wrong, model))), Each(Verdict::mismatch));
}

TEST_F(StrictProblems, AKernelThatReachesForTheModelChangesOnlyItsOwn) {
  // In one process with the reference this makes zeros of both, which are equal.
  const Report report = run(problem(R"(import gc, torch
class ModelNew(torch.nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.m = m
    def forward(self, x, scale, more):
        zeros = torch.zeros(8, self.m), torch.zeros(8, 4)
        for each in gc.get_objects():
            if isinstance(each, type) and each.__name__ == "Model":
                each.forward = lambda *a: zeros
        for name in dir(torch):
            if callable(getattr(torch, name)) and name in ("rand", "relu", "manual_seed"):
                setattr(torch, name, lambda *a, **k: torch.zeros(8, 4))
        return zeros
)",
                                    model));
  EXPECT_THAT(verdicts(report), Each(Verdict::mismatch));
}

constexpr const char* norm = R"(import torch
class Model(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(n)
    def forward(self, x):
        return self.norm(x)
def get_inputs():
    return [torch.rand(32, 8)]
def get_init_inputs():
    return [8]
)";

/// A norm of `expression`, with x, the mean and what is to be multiplied by.
std::string normOf(const std::string& expression) {
  return R"(import torch
class ModelNew(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(n)
    def forward(self, x):
        n = self.norm
        mean, var = x.mean(0), x.var(0, unbiased=False)
        with torch.no_grad():
            n.running_mean.lerp_(mean, 0.1)
            n.running_var.lerp_(x.var(0), 0.1)
        scale = torch.rsqrt(var + n.eps)
        return )" +
         expression + "\n";
}

/// What is said of the kernel as a whole.
std::string saidOf(const Report& report) {
  std::string said;
  for (std::size_t i = 0; i < report.kernels[0]->diagnostics.size(); ++i)
    said += report.kernels[0]->diagnostics[i].message + "\n";
  return said;
}

TEST_F(StrictProblems, BothModelsAreAskedWhenAllElseIsDone) {
  const std::string right = "(x - mean) * (scale * n.weight) + n.bias";
  const Report report = run(problem(normOf(right), norm));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message;
  EXPECT_EQ(saidOf(report), "");
  // The same one again, in guests that may have been kept: nothing is left there of what was asked.
  EXPECT_EQ(saidOf(run(problem(normOf(right), norm))), "");

  const Report plain = run(problem(normOf("(x - mean) * scale"), norm));
  EXPECT_THAT(verdicts(plain), Each(Verdict::pass)) << "it may honestly leave out ones and zeros";
  EXPECT_THAT(saidOf(plain), HasSubstr("wrong with other parameters: drawn"));

  std::string forgetful = normOf(right);
  forgetful.replace(forgetful.find("n.running_mean.lerp_"), 20, "mean.lerp");
  EXPECT_THAT(saidOf(run(problem(forgetful, norm))), HasSubstr("norm.running_mean stays as it was"));

  const Report positive = run(problem(normOf("(x.abs() - mean) * (scale * n.weight) + n.bias"), norm));
  EXPECT_THAT(verdicts(positive), Each(Verdict::pass));
  EXPECT_THAT(saidOf(positive), HasSubstr("wrong with other values: negative numbers among them"));
}

TEST_F(StrictProblems, OneThatEndsItsProcessOverAQuestionKeepsItsVerdict) {
  const Report report = run(problem(
      normOf("(x - mean) * (scale * n.weight) + n.bias if (x >= 0).all() else __import__('os')._exit(3)"),
      norm));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  EXPECT_THAT(saidOf(report), HasSubstr("crashes with other values: negative numbers among them"));
  EXPECT_EQ(report.outcome, Outcome::finished);
}

TEST_F(StrictProblems, AReferenceThatEndsItsProcessMakesTheCaseVoid) {
  std::string dying = model;
  dying.replace(dying.find("    def forward"), 0, "    calls = 0\n");
  const std::string first = "        return torch.relu";
  dying.replace(dying.find(first), 0,
                "        Model.calls += 1\n        import os\n        if Model.calls > 1: os._exit(3)\n");
  const Report report = run(problem(modelNew, dying));
  ASSERT_FALSE(report.kernels[0]->failure) << describe(*report.kernels[0]->failure);
  EXPECT_THAT(verdicts(report), Each(Verdict::invalid));
  EXPECT_THAT(check(report).message, HasSubstr("the reference failed"));
  EXPECT_TRUE(report.losses.empty()) << "the worker lives on";
}

/// How many shared objects in the judge's cache have a text in them. Others use the cache, too.
std::ptrdiff_t builtWith(const std::string& text) {
  std::error_code failed;
  std::ptrdiff_t count = 0;
  for (const auto& each : std::filesystem::recursive_directory_iterator(cacheFolder() / "build", failed))
    if (each.path().extension() == ".so")
      count += readFile(each.path()).value_or("").find(text) == std::string::npos ? 0 : 1;
  return count;
}

TEST_F(StrictProblems, TheJudgeBuildsAnExtensionFromItsTextAndKeepsThatAlone) {
  const std::string mark =
      "judged" + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  const auto judged = [&](const std::string& name, const std::string& options) {
    return run(problem(R"(import torch
from torch.utils.cpp_extension import load_inline
source = """__attribute__((used)) const char text[] = ")" +
                           mark + name + R"(";
torch::Tensor twice(torch::Tensor x) { return x * 2; }"""
made = load_inline("twice", source, functions=["twice"])" +
                           options + R"()
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return made.twice(x)
)",
                       doubling));
  };
  for (const char* again : {"", ""}) {
    const Report report = judged("first", again);
    ASSERT_FALSE(report.kernels[0]->failure) << describe(*report.kernels[0]->failure);
    EXPECT_THAT(verdicts(report), Each(Verdict::pass));
    EXPECT_EQ(builtWith(mark + "first"), 1);
  }
  // Options could name code that the compiler runs, which is the guest's affair, inside its walls.
  const Report own = judged("own", ", extra_include_paths=[\"/usr/include\"]");
  ASSERT_FALSE(own.kernels[0]->failure) << describe(*own.kernels[0]->failure);
  EXPECT_THAT(verdicts(own), Each(Verdict::pass));
  EXPECT_EQ(builtWith(mark + "own"), 0) << "what was built in the guest is gone with it";
}

TEST_F(StrictProblems, OneWithoutInputsIsRefusedInWords) {
  const Report report = run(problem(modelNew, "import torch\nclass Model(torch.nn.Module):\n    pass\n"));
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("get_inputs"));
}

}  // namespace
}  // namespace wb
