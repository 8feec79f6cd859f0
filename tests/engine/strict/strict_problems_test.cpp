// SPDX-License-Identifier: Apache-2.0
// Problems in KernelBench's form: the reference is given code, too, and runs in a guest of its own.
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

TEST_F(StrictProblems, AnExtensionIsBuiltInsideTheGuestsWalls) {
  const char* reference =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x + x\n"
      "def get_inputs():\n    return [torch.rand(8, 4)]\ndef get_init_inputs():\n    return []\n";
  const Report report = run(problem(R"(import torch
from torch.utils.cpp_extension import load_inline
source = "torch::Tensor twice(torch::Tensor x) { return x * 2; }"
made = load_inline("twice", source, functions=["twice"])
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return made.twice(x)
)",
                                    reference));
  ASSERT_FALSE(report.kernels[0]->failure) << describe(*report.kernels[0]->failure);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
}

TEST_F(StrictProblems, OneWithoutInputsIsRefusedInWords) {
  const Report report = run(problem(modelNew, "import torch\nclass Model(torch.nn.Module):\n    pass\n"));
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("get_inputs"));
}

}  // namespace
}  // namespace wb
