// SPDX-License-Identifier: Apache-2.0
// A job that is judged strictly again may find the process that its kernel ran in, and gains nothing by that.
#include "tests/engine/strict/strict_fixture.h"

#include <string>
#include <utility>

namespace wb {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

/// Says how often it was loaded in its process.
constexpr const char* counting = R"(import sys
sys.loads = getattr(sys, 'loads', 0) + 1
print(f'load {sys.loads}.')
def relu_kernel_impl(x):
    return x.clamp(min=0)
)";

class StrictAgain : public StrictWorker {
 protected:
  static std::string said(const Report& report) {
    std::string all;
    for (std::size_t i = 0; i < report.log.size(); ++i) all += report.log[i].text;
    return all;
  }
};

TEST_F(StrictAgain, TheSameJobFindsItsProcessAndAnotherOneDoesNot) {
  Job job = jobOf("relu.py", counting);
  EXPECT_THAT(said(run(job)), HasSubstr("load 1."));
  const Report second = run(job);
  EXPECT_THAT(said(second), HasSubstr("load 2."));
  EXPECT_THAT(verdicts(second), Each(Verdict::pass));
  Job other = job;
  other.seed = 7;
  EXPECT_THAT(said(run(other)), HasSubstr("load 1."));
  EXPECT_THAT(said(run(job)), HasSubstr("load 3.")) << "it was kept beside the other one";
}

TEST_F(StrictAgain, AKernelThatWasRightIsWrongWhenItIs) {
  const Job job = jobOf("relu.py", R"(import sys
sys.runs = getattr(sys, 'runs', 0) + 1
def relu_kernel_impl(x):
    return x.clamp(min=0) if sys.runs == 1 else x.clamp(min=0) + 1
)");
  EXPECT_THAT(verdicts(run(job)), Each(Verdict::pass));
  EXPECT_THAT(verdicts(run(job)), Each(Verdict::mismatch));
}

TEST_F(StrictAgain, WhatIsWrongBesideItsCasesIsSaidEachTime) {
  const Job job = jobOf("relu.py", R"(def relu_kernel_impl(x):
    return x.clamp(min=0) if x.numel() in (3, 20, 1000) else x
)");
  for (int i = 0; i < 3; ++i) {
    const Report report = run(job);
    EXPECT_THAT(verdicts(report), Each(Verdict::pass));
    // A tensor of a few elements may be drawn with none below zero. Some thousand cannot.
    EXPECT_THAT(check(report, 2).elsewhere, HasSubstr("wrong at other shapes")) << i;
  }
}

TEST_F(StrictAgain, OneThatCannotBeLoadedTwiceInAProcessGetsANewOne) {
  const Job job = jobOf("relu.py", R"(import sys
if hasattr(sys, 'was_here'):
    raise RuntimeError('I was here before')
sys.was_here = True
def relu_kernel_impl(x):
    return x.clamp(min=0)
)");
  for (int i = 0; i < 3; ++i) EXPECT_THAT(verdicts(run(job)), Each(Verdict::pass));
}

TEST_F(StrictAgain, AReferenceWithAFileOfItsOwnServesOtherKernelsToo) {
  Job job = jobOf("new.py", std::string("import torch\n") + R"(import sys
sys.news = getattr(sys, 'news', 0) + 1
print(f'new {sys.news}.')
class ModelNew(torch.nn.Module):
    def forward(self, x):
        return x * 2
)");
  job.kernels[0].referencePath = "problem.py";
  job.kernels[0].referenceText = R"(import sys
import torch
sys.models = getattr(sys, 'models', 0) + 1
print(f'model {sys.models}.')
class Model(torch.nn.Module):
    def forward(self, x):
        return x + x
def get_inputs():
    return [torch.rand(8, 4)]
def get_init_inputs():
    return []
)";
  job.cases.clear();
  const std::string first = said(run(job));
  EXPECT_THAT(first, AllOf(HasSubstr("new 1."), HasSubstr("model 1.")));
  job.kernels[0].text += "# another one\n";
  const Report second = run(job);
  EXPECT_THAT(verdicts(second), Each(Verdict::pass));
  EXPECT_THAT(said(second), AllOf(HasSubstr("new 1."), HasSubstr("model 2.")));
  // Where both are in one file, the reference's guest is that file's alone.
  job.kernels[0].text += std::exchange(job.kernels[0].referenceText, {});
  job.kernels[0].referencePath.clear();
  EXPECT_THAT(said(run(job)), AllOf(HasSubstr("model 1."), Not(HasSubstr("model 3."))));
}

/// The kernel says which inputs it has met in both of the last two runs.
TEST_F(StrictAgain, WhatIsTimedIsNewInEachRun) {
  Job job = jobOf("relu.py", R"(import sys
sys.runs = [*getattr(sys, 'runs', []), set()]
if len(sys.runs) > 2:
    print(f'met {len(sys.runs[-3] & sys.runs[-2])} again.')
def relu_kernel_impl(x):
    sys.runs[-1].add(x.numpy().tobytes())
    return x.clamp(min=0)
)");
  job.cases.erase(job.cases.begin(), job.cases.end() - 1);
  const auto metAgain = [&] {
    std::string text;
    for (int i = 0; i < 3; ++i) text = said(run(job));
    return text.substr(0, text.find('\n'));
  };
  const std::string checked = metAgain();
  ASSERT_THAT(checked, HasSubstr("met "));
  job.stages.add(Stage::time);
  job.timing.capSeconds = 0.02;
  EXPECT_EQ(metAgain(), checked) << "only the inputs of the check are those of the last run";
}

}  // namespace
}  // namespace wb
