// SPDX-License-Identifier: Apache-2.0
// Problems whose reference draws random numbers, as a model with dropout does.
#include <string>

#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr const char* dropout = R"(import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = torch.nn.Dropout(0.5)
    def forward(self, x):
        return self.dropout(torch.relu(x))
def get_inputs():
    return [torch.randn(64, 64)]
def get_init_inputs():
    return []
)";

class RandomProblems : public PythonWorker {
 protected:
  /// What comes of a ModelNew whose forward ends so; `y` is what its own dropout makes of the right numbers.
  static Report of(const std::string& end, double seconds = 0.1) {
    Job job = jobOf(std::string("import torch\n") +
                        "class ModelNew(torch.nn.Module):\n"
                        "    def __init__(self):\n"
                        "        super().__init__()\n"
                        "        self.dropout, self.calls = torch.nn.Dropout(0.5), 0\n"
                        "    def forward(self, x):\n"
                        "        self.calls += 1\n"
                        "        y = self.dropout(x.clamp(min=0))\n"
                        "        return " +
                        end + "\n",
                    "new.py");
    job.kernels[0].referencePath = "problem.py";
    job.kernels[0].referenceText = dropout;
    job.cases.clear();
    job.stages.add(Stage::time);
    job.timing.capSeconds = seconds;
    return run(job);
  }
};

/// The float64 oracle would leave a state of its own dtype behind.
TEST_F(RandomProblems, OneThatKeepsSomethingFromCallToCallCannotBeComparedWith) {
  const std::string model = R"(
    def __init__(self):
        super().__init__()
        self.register_buffer('mean', torch.zeros(64))
    def forward(self, x):
        self.mean = self.mean * 0.9 + x.mean(0) * 0.1
        return torch.relu(x - self.mean)
)";
  Job job = jobOf("import torch\nclass ModelNew(torch.nn.Module):" + model, "new.py");
  job.kernels[0].referencePath = "problem.py";
  job.kernels[0].referenceText = "import torch\nclass Model(torch.nn.Module):" + model +
                                 "def get_inputs():\n    return [torch.rand(256, 64)]\n";
  job.cases.clear();
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::invalid));
  EXPECT_THAT(check(report).message, HasSubstr("the reference itself gives other values each time"));
}

TEST_F(RandomProblems, OneThatDrawsAsTheReferenceDoesIsRightAndTimed) {
  const Report report = of("y");
  EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message;
  EXPECT_TRUE(report.kernels[0]->cases[0].timing) << report.kernels[0]->cases[0].notTimed;
}

TEST_F(RandomProblems, OneThatDrawsOtherwiseCannotBeCompared) {
  const Report report = of("x.clamp(min=0) * (torch.randn(64, 64) < 0) * 2");
  EXPECT_THAT(verdicts(report), Each(Verdict::invalid));
  EXPECT_THAT(check(report).message, HasSubstr("the reference is random"));
}

/// Its mask is the one of torch's dropout, for which it draws more.
TEST_F(RandomProblems, OneThatLeavesTheGeneratorElsewhereIsRight) {
  const Report report = of("x.clamp(min=0) * (torch.rand(64, 64) < 0.5) * 2");
  EXPECT_THAT(verdicts(report), Each(testing::AnyOf(Verdict::pass, Verdict::invalid)))
      << check(report).message;
}

TEST_F(RandomProblems, OneThatIsWrongLaterIsFoundInItsTimedCalls) {
  const Report report = of("y if self.calls < 30 else y + 1", 1);  // so that even a busy machine gets there
  EXPECT_EQ(check(report).verdict, Verdict::mismatch);
  EXPECT_THAT(check(report).message, HasSubstr("right when checked, wrong when timed"));
}

/// Problems with a Model of this body, and a kernel.
class ProblemsThatKeep : public PythonWorker {
 protected:
  static std::string saidOf(const std::string& model, const std::string& kernel, bool strict = false) {
    const std::string begin = "import torch\nclass ", base = "(torch.nn.Module):\n";
    Job job = jobOf(begin + "ModelNew" + base + kernel, "new.py");
    job.kernels[0].referencePath = "problem.py";
    job.kernels[0].referenceText = begin + "Model" + base + model +
                                   "def get_inputs():\n    return [torch.rand(64, 64), torch.rand(64, 64)]\n";
    job.cases.clear();
    job.strict = strict;
    const Report report = run(job);
    EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << check(report).message;
    std::string said;
    for (const Diagnostic& each : report.kernels[0]->diagnostics)
      if (each.tool == "warpbench") said += std::string(name(each.severity)) + ": " + each.message + "\n";
    return said;
  }
};

constexpr const char* keepsMean =
    "    def __init__(self):\n        super().__init__()\n        self.mean = torch.zeros(64)\n"
    "    def forward(self, x, y):\n        self.mean = self.mean * 0.9 + x.mean(0) * 0.1\n"
    "        return torch.relu(x - y)\n";

TEST_F(ProblemsThatKeep, AKernelThatDoesNotKeepAnAttributeIsSaidTo) {
  EXPECT_THAT(
      saidOf(keepsMean,
             "    def __init__(self):\n        super().__init__()\n        self.mean = torch.zeros(64)\n"
             "    def forward(self, x, y):\n        return torch.relu(x - y)\n"),
      HasSubstr("mean stays as it was, which the reference changes"));
  EXPECT_THAT(saidOf(keepsMean, keepsMean), testing::Not(HasSubstr("warning")));
}

TEST_F(ProblemsThatKeep, ThatWhatAModelLeavesInItsInputsIsNotComparedIsSaid) {
  const std::string model =
                        "    def forward(self, x, y):\n        y.mul_(2)\n        return torch.relu(x - y)\n",
                    kernel = "    def forward(self, x, y):\n        return torch.relu(x - 2 * y)\n";
  EXPECT_THAT(saidOf(model, kernel), HasSubstr("note: Model changes its inputs a1 in place"));
  EXPECT_THAT(saidOf(kernel, kernel), testing::Not(HasSubstr("in place")));
}

}  // namespace
}  // namespace wb
