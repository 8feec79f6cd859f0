// SPDX-License-Identifier: Apache-2.0
// A strict judge comes to the verdicts of an ordinary one.
#include "tests/engine/strict/strict_fixture.h"

#include <cctype>
#include <future>
#include <utility>
#include <variant>

#include "core/base/files/file.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* relu = R"(#include <torch/extension.h>
at::Tensor relu(const at::Tensor& x) { return at::clamp_min(x, 0); }
)";

class SameVerdicts : public StrictWorker, public testing::WithParamInterface<std::string> {};

TEST_P(SameVerdicts, AsWithoutStrict) {
  auto suite = loadSuite("smoke");
  ASSERT_TRUE(suite) << suite.error().text;
  Job job = jobOf(GetParam(), "");
  if (!GetParam().ends_with("pp") && !GetParam().ends_with("py")) {
    job.kernels[0] = {"", "", "aten", GetParam(), "", ""};
  } else {
    auto text = readSource(std::filesystem::path(WB_SOURCE_DIR "/resources/samples") / GetParam());
    ASSERT_TRUE(text);
    job.kernels[0].text = *text;
  }
  job.cases = suite->cases;
  const Report strict = run(job);
  job.strict = false;
  const Report plain = run(job);
  ASSERT_FALSE(strict.kernels[0]->failure) << describe(*strict.kernels[0]->failure);
  EXPECT_TRUE(strict.strict);
  EXPECT_EQ(verdicts(strict), verdicts(plain));
  EXPECT_GT(plain.kernels[0]->counts.passed, 0);
  for (std::size_t i = 0; i < strict.kernels[0]->cases.size(); ++i)
    EXPECT_EQ(check(strict, i).errors.has_value(), check(plain, i).errors.has_value())
        << check(strict, i).message;
}

INSTANTIATE_TEST_SUITE_P(OverTheSmokeSuite, SameVerdicts,
                         testing::Values("relu.cpp", "add.cpp", "layer_norm.cpp", "softmax.cpp", "sum.cpp",
                                         "gelu.py", "add", "cat", "sum.dim_IntList", "native_layer_norm",
                                         "mm"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

class Strict : public StrictWorker {};

TEST_F(Strict, ACaseIsTimedOnBothSidesAlike) {
  Job job = jobOf("relu.cpp", relu);
  job.stages.add(Stage::time);
  job.timing.capSeconds = 0.1;
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  const CaseRow& row = report.kernels[0]->cases[2];
  ASSERT_TRUE(row.timing) << row.notTimed;
  EXPECT_GT(row.timing->reference, 0);
  EXPECT_GT(row.timing->candidate, 0);
}

TEST_F(Strict, WhatIsWrittenOutsideOfAnInputIsNamed) {
  const Report report = run(jobOf("relu.cpp", R"(#include <torch/extension.h>
at::Tensor relu(const at::Tensor& x) {
  at::Tensor y = at::clamp_min(x, 0);
  auto* end = static_cast<unsigned char*>(x.data_ptr()) + x.nbytes();
  for (int i = 0; i < 3; ++i) end[i] = ~end[i];
  return y;
}
)"));
  EXPECT_THAT(verdicts(report), Each(Verdict::changedInput));
  EXPECT_EQ(check(report).message, "the kernel writes beyond the end of its input 'self' (3 B)");
}

TEST_F(Strict, WhatAKernelThrowsIsItsVerdict) {
  const Report report = run(jobOf("relu.py", "def relu_kernel_impl(x):\n    raise ValueError('no')\n"));
  EXPECT_THAT(verdicts(report), Each(Verdict::threw));
  EXPECT_THAT(check(report).message, HasSubstr("no"));
  EXPECT_EQ(check(report).errorType, "<class 'ValueError'>");
}

TEST_F(Strict, ACrashEndsTheCaseAndTheNextHasANewGuest) {
  const Report report = run(jobOf("relu.cpp", R"(#include <torch/extension.h>
#include <csignal>
at::Tensor relu(const at::Tensor& x) { if (x.dim() == 2) raise(SIGSEGV); return at::clamp_min(x, 0); }
)"));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::crashed, Verdict::pass));
  EXPECT_EQ(check(report, 1).message, "segmentation fault (SIGSEGV)");
  EXPECT_TRUE(report.losses.empty()) << "the worker lives on";
}

TEST_F(Strict, AHangEndsTheCaseAtItsDeadline) {
  Job job = jobOf("relu.cpp", R"(#include <torch/extension.h>
at::Tensor relu(const at::Tensor& x) { while (x.dim() == 2) asm volatile(""); return at::clamp_min(x, 0); }
)");
  job.limits.caseSeconds = 12;
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::hung, Verdict::pass));
  EXPECT_THAT(check(report, 1).message, HasSubstr("did not finish within"));
  EXPECT_TRUE(report.losses.empty());
}

TEST_F(Strict, ACancelEndsAFirstCallThatHangs) {
  Job job = jobOf("relu.py", R"(import torch
def relu_kernel_impl(x):
    while x.dim() == 2:
        pass
    return x.clamp(min=0)
)");
  Report report = startReport(job);
  std::promise<void> first;
  bool done = false;
  const Runner::RunId id = runner->submit(job, [&](Runner::RunId, const Event& event) {
    fold(report, event);
    // The first of the three has its verdict, and the next one hangs for as long as a first call may take.
    const auto* step = std::get_if<StepDone>(&event);
    if (step && step->stage == Stage::check && !std::exchange(done, true)) first.set_value();
  });
  first.get_future().wait();
  runner->cancel(id);
  runner->wait();
  EXPECT_EQ(report.outcome, Outcome::cancelled);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::notRun, Verdict::notRun));
}

TEST_F(Strict, AFolderOfKernelsHasAGuestReadyForEach) {
  Job job = jobOf("relu.cpp", relu);
  for (int i = 0; i < 2; ++i) job.kernels.push_back(job.kernels[0]);
  const Report report = run(job);
  ASSERT_EQ(report.kernels.size(), 3U);
  for (const auto& kernel : report.kernels)
    for (std::size_t i = 0; i < kernel->cases.size(); ++i)
      EXPECT_EQ(kernel->cases[i].check.verdict, Verdict::pass);
}

TEST_F(Strict, AKernelThatAlwaysCrashesIsNotRunForEver) {
  Job job = jobOf("relu.py", "import os\ndef relu_kernel_impl(x):\n    os._exit(0)\n");
  job.cases.push_back(job.cases.back());
  job.cases.push_back(job.cases.back());
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::crashed, Verdict::crashed, Verdict::crashed,
                                            Verdict::quarantined, Verdict::quarantined));
  EXPECT_EQ(check(report).message, "exit code 0");
}

TEST_F(Strict, WhatDoesNotCompileOrLoadIsSaid) {
  const Report broken = run(jobOf("relu.cpp", "at::Tensor relu(const at::Tensor& x) { return y; }\n"));
  ASSERT_TRUE(broken.kernels[0]->failure);
  EXPECT_THAT(broken.kernels[0]->failure->text, HasSubstr("1 error in relu.cpp"));
  const Report undefined = run(jobOf("relu.cpp", R"(#include <torch/extension.h>
at::Tensor other(const at::Tensor& x);
at::Tensor relu(const at::Tensor& x) { return other(x); }
)"));
  ASSERT_TRUE(undefined.kernels[0]->failure);
  EXPECT_THAT(undefined.kernels[0]->failure->text, HasSubstr("undefined symbol: other"));
  const Report raised =
      run(jobOf("relu.py", "import no_such_module\ndef relu_kernel_impl(x):\n    return x\n"));
  ASSERT_TRUE(raised.kernels[0]->failure);
  EXPECT_THAT(raised.kernels[0]->failure->text, HasSubstr("no_such_module"));
  EXPECT_EQ(raised.kernels[0]->failure->place.line, 1);
}

TEST_F(Strict, APrintIsHeard) {
  const Report report =
      run(jobOf("relu.py", "def relu_kernel_impl(x):\n    print('hello')\n    return x.clamp(min=0)\n"));
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
  std::string said;
  for (std::size_t i = 0; i < report.log.size(); ++i) said += report.log[i].text;
  EXPECT_THAT(said, HasSubstr("hello"));
}

TEST_F(Strict, ARandomOperatorIsJudged) {
  Job job = jobOf("bernoulli.cpp", R"(#include <torch/extension.h>
at::Tensor rand_like(const at::Tensor& x) { return at::rand(x.sizes(), x.options()); }
)");
  for (Case& each : job.cases) each.op = "aten::rand_like";
  const Report strict = run(job);
  job.strict = false;
  EXPECT_EQ(verdicts(strict), verdicts(run(job)));
}

TEST_F(Strict, WhatItDoesNotTakeItRefuses) {
  Job peer = jobOf("relu.cpp", relu);
  peer.checking.likeBackendBench = true;
  const Report likePeer = run(peer);
  ASSERT_TRUE(likePeer.kernels[0]->failure);
  EXPECT_THAT(likePeer.kernels[0]->failure->text, HasSubstr("does not follow BackendBench's procedure"));
}

TEST_F(Strict, AWorkerInWhichAKernelHasRunDoesNotJudge) {
  Job job = jobOf("relu.cpp", relu);
  job.strict = false;
  EXPECT_THAT(verdicts(run(job)), Each(Verdict::pass));
  job.strict = true;
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(Verdict::pass));
}

}  // namespace
}  // namespace wb
