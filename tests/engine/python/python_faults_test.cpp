// SPDX-License-Identifier: Apache-2.0
// Python kernels that misbehave: each must leave a verdict, and the next job a working worker.
#include "core/model/exit/exit_status.h"
#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class PythonFaults : public PythonWorker {
 protected:
  void SetUp() override { subject = Losses::ofKernels; }
  void TearDown() override {
    subject = Losses::none;
    EXPECT_EQ(counts(run(bodyOf("return torch.relu(x)"))).passed, 3) << "the next job does not work";
  }
};

TEST_F(PythonFaults, ASyntaxErrorIsADiagnosticOnItsLine) {
  const Report report = run(jobOf("import torch\n\ndef relu_kernel_impl(x:\n    return x\n"));
  ASSERT_EQ(report.kernels[0]->diagnostics.size(), 1U);
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place.line, 3);
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place.file, "relu.py");
  EXPECT_EQ(exitStatus(report), 2);
}

TEST_F(PythonFaults, AnImportErrorIsADiagnosticOnItsLine) {
  const Report report =
      run(jobOf("import torch\nimport no_such_module\n\ndef relu_kernel_impl(x):\n    return x\n"));
  ASSERT_EQ(report.kernels[0]->diagnostics.size(), 1U);
  EXPECT_EQ(report.kernels[0]->diagnostics[0].place.line, 2);
  EXPECT_THAT(report.kernels[0]->diagnostics[0].message, HasSubstr("no_such_module"));
}

TEST_F(PythonFaults, AMissingFunctionIsNamedWithWhatIsThere) {
  Job job = jobOf("import torch\ndef something_else(x):\n    return x\n");
  job.kernels[0].op = "relu";
  const Report report = run(job);
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("relu__default_kernel_impl"));
  EXPECT_THAT(report.kernels[0]->failure->hint, HasSubstr("something_else"));
}

TEST_F(PythonFaults, AnExceptionFailsItsCaseWithTypeAndTraceback) {
  const Report report = run(bodyOf("return torch.relu(x) if x.numel() != 4 else [][1]"));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::threw, Verdict::pass));
  EXPECT_EQ(check(report, 1).message, "IndexError: list index out of range");
  EXPECT_EQ(check(report, 1).errorType, "<class 'IndexError'>");
  EXPECT_THAT(check(report, 1).trace, HasSubstr("relu.py\", line 3"));
}

TEST_F(PythonFaults, SysExitIsAnException) {
  EXPECT_THAT(check(run(bodyOf("import sys; sys.exit(3)"))).message, HasSubstr("sys.exit(3)"));
}

TEST_F(PythonFaults, OneThatExitsWhileItGoesAwayIsToldOf) {
  Job job = jobOf(
      "import os, torch\n"
      "class Last:\n    def __del__(self, exit=os._exit):\n        exit(7)\n"
      "last = Last()\n"
      "def relu_kernel_impl(x, last=last):\n    return torch.relu(x)\n"
      "del last\n");
  job.kernels.push_back(bodyOf("return torch.relu(x)").kernels[0]);
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  ASSERT_EQ(report.losses.size(), 1U);
  EXPECT_EQ(report.losses[0].blame, Blame::kernel);
  EXPECT_THAT(report.kernels[0]->diagnostics,
              Contains(testing::Field(&Diagnostic::message, HasSubstr("when the kernel is let go"))));
  EXPECT_THAT(report.kernels[1]->diagnostics, testing::IsEmpty());
  EXPECT_EQ(counts(report).passed, 6);
}

TEST_F(PythonFaults, ExitingTheProcessCostsItsCaseAlone) {
  const Report report = run(bodyOf("import os; return torch.relu(x) if x.numel() != 4 else os._exit(0)"));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::crashed, Verdict::pass));
}

TEST_F(PythonFaults, AForkedChildSpeaksToNobody) {
  const Report report =
      run(bodyOf("import os; pid = os.fork(); _ = pid and os.waitpid(pid, 0); return torch.relu(x)"));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  EXPECT_EQ(report.outcome, Outcome::finished);
}

TEST_F(PythonFaults, ThreadsLeftRunningDoNotHoldTheWorker) {
  EXPECT_THAT(
      verdicts(run(bodyOf("import threading, time; threading.Thread(target=lambda: time.sleep(60)).start(); "
                          "return torch.relu(x)"))),
      Each(Verdict::pass));
}

TEST_F(PythonFaults, PatchedModulesChangeNoVerdict) {
  EXPECT_THAT(verdicts(run(bodyOf("import time, torch.testing as t; time.perf_counter = lambda: 0; "
                                  "t.assert_close = torch.allclose = lambda *a, **k: True; return x + 1"))),
              Each(Verdict::mismatch));
}

TEST_F(PythonFaults, NothingReturnedIsAMissingOutput) {
  EXPECT_THAT(verdicts(run(bodyOf("return None"))), Each(Verdict::wrongCount));
}

TEST_F(PythonFaults, ASubclassOfTensorIsRefused) {
  const Report report =
      run(jobOf("import torch\nclass Lazy(torch.Tensor):\n    pass\ndef relu_kernel_impl(x):\n"
                "    return torch.relu(x).as_subclass(Lazy)\n"));
  EXPECT_THAT(check(report).message, HasSubstr("subclass"));
  EXPECT_EQ(tally(check(report).verdict), Tally::fail);
}

TEST_F(PythonFaults, ItemsAreWhatLiesInATupleAndNotWhatItSays) {
  const auto largest = [&](const std::string& body) {
    Job job = jobOf("import torch\n" + body, "max.py");
    job.kernels[0].op = "max.dim";
    job.cases = {caseOf("aten::max.dim", "((T([5, 3], f32), 0), {})")};
    return check(run(job)).verdict;
  };
  EXPECT_EQ(largest("def max__dim_kernel_impl(x, dim):\n    return torch.max(x, dim)\n"), Verdict::pass);
  for (const char* kind : {"tuple", "list"})
    EXPECT_EQ(tally(largest("class Lazy(" + std::string(kind) +
                            "):\n    def __getitem__(self, i):\n        return torch.max(self.x, 0)[i]\n"
                            "    def __iter__(self):\n        return iter(torch.max(self.x, 0))\n"
                            "def max__dim_kernel_impl(x, dim):\n    lazy = Lazy([None, None])\n"
                            "    lazy.x = x\n    return lazy\n")),
              Tally::fail)
        << kind;
}

TEST_F(PythonFaults, AnotherDeviceIsSaid) {
  EXPECT_THAT(verdicts(run(bodyOf("return torch.relu(x).to('meta')"))), Each(Verdict::wrongDevice));
}

TEST_F(PythonFaults, ChangedInputsAreSaid) {
  EXPECT_THAT(verdicts(run(bodyOf("return x.relu_()"))), Contains(Verdict::changedInput));
}

TEST_F(PythonFaults, AnEndlessImportEndsAtItsDeadline) {
  Job job = jobOf("while True:\n    print('x' * 1000)\n");
  job.kernels[0].op = "relu";
  job.limits.compileSeconds = 2;
  const Report report = run(job);
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_NE(exitStatus(report), 0);
}

/// What a first call draws would be other numbers for the kernel than for the reference.
TEST_F(PythonFaults, ALayerWithoutSizesIsRefusedWithTheReason) {
  Job job = jobOf(
      "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        self.into = torch.nn.LazyLinear(32)\n    def forward(self, x):\n        return self.into(x)\n"
      "class ModelNew(Model):\n    pass\ndef get_inputs():\n    return [torch.randn(4, 8)]\n",
      "problem.py");
  job.cases.clear();
  const Report report = run(job);
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("Model's into.weight has no size"));
  EXPECT_THAT(report.kernels[0]->failure->hint, HasSubstr("give the layer its sizes"));
}

}  // namespace
}  // namespace wb
