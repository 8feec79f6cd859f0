// SPDX-License-Identifier: Apache-2.0
// Python and Triton kernels on the GPU, in the real worker inside the real interpreter.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/quantity.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class GpuPython : public GpuTest {
 protected:
  Report timed(const Job& job, const std::string& what) {
    const auto start = std::chrono::steady_clock::now();
    Report report = runInWorker(job);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const KernelReport& kernel = *report.kernels[0];
    printCases(kernel);
    if (kernel.failure) ADD_FAILURE() << describe(*kernel.failure);
    fmt::print("{}: {}, {} of {} cases pass, {} timed\n", what, formatSeconds(seconds), kernel.counts.passed,
               kernel.counts.total, kernel.counts.timed);
    return report;
  }
};

TEST_F(GpuPython, TritonAndPythonSamplesAgreeWithAten) {
  for (const char* file :
       {"samples/gelu.py", "samples/relu_triton.py", "samples/softmax_triton.py", "samples/relu_triton.py"}) {
    const Report report = timed(resourceJob(file), std::string(file) + ", checked");
    EXPECT_EQ(report.kernels[0]->counts.failed, 0) << file;
    EXPECT_GT(report.kernels[0]->counts.passed, 5) << file;
  }
}

TEST_F(GpuPython, TritonIsTimedAgainstAten) {
  const Report report =
      timed(resourceJob("samples/softmax_triton.py", true), "softmax in Triton, checked and timed");
  EXPECT_GT(report.kernels[0]->counts.timed, 3);
  EXPECT_THAT(report.kernels[0]->compiled->toolchain, HasSubstr("Triton"));
}

TEST_F(GpuPython, AProblemWithItsOwnReferenceIsCheckedAndTimed) {
  const Report report = timed(resourceJob("templates/problem.py", true), "a problem with its own reference");
  EXPECT_EQ(report.kernels[0]->counts.passed, 3);
  EXPECT_EQ(report.kernels[0]->counts.timed, 1);
}

TEST_F(GpuPython, EverySampleAndTemplatePassesOrSaysThatItIsForTheCpu) {
  for (const char* folder : {"samples", "templates"}) {
    for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / folder)) {
      const std::string file = std::string(folder) + "/" + entry.path().filename().string();
      const Report report = runInWorker(resourceJob(file));
      const KernelReport& kernel = *report.kernels[0];
      EXPECT_TRUE(report.losses.empty()) << file;
      ASSERT_TRUE(kernel.compiled) << file;
      EXPECT_EQ(kernel.counts.failed, 0) << file;
      if (kernel.compiled->runs)
        EXPECT_GT(kernel.counts.passed, 0) << file;
      else
        EXPECT_THAT(kernel.compiled->note, HasSubstr("for the CPU")) << file;
    }
  }
}

/// torch lets convolutions use TF32, so that a kernel that computes in float32 is nearer to the truth than
/// the reference.
TEST_F(GpuPython, AMoreExactAnswerThanTheReferencesIsRightAndAWrongOneIsNot) {
  const auto passed = [&](const std::string& result) {
    Job job = resourceJob("templates/problem.py");
    job.kernels[0].text = fmt::format(R"(
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv3d(16, 8, 3)
    def forward(self, x):
        return self.conv(x)
class ModelNew(Model):
    def forward(self, x):
        w, b = self.conv.weight.double(), self.conv.bias.double()
        return ({}).to(x.dtype)
def get_inputs():
    return [torch.randn(2, 16, 12, 12, 12)]
def get_init_inputs():
    return []
)",
                                      result);
    const Report report = runInWorker(job);
    printAll(report);
    return report.kernels[0]->counts.passed;
  };
  EXPECT_EQ(passed("torch.nn.functional.conv3d(x.double(), w, b)"), 3);
  EXPECT_EQ(passed("torch.nn.functional.conv3d(x.double(), w, b) * 1.003"), 0);
}

TEST_F(GpuPython, AProblemsInputsAreMadeWhereTheyAreUsed) {
  Job job = resourceJob("templates/problem.py");
  std::string& text = job.kernels[0].text;
  const std::string drawn = "torch.randn(256, 512)";
  ASSERT_NE(text.find(drawn), std::string::npos);
  text.replace(text.find(drawn), drawn.size(), "made()");
  text +=
      "\ndef made():\n    given = torch.randn(256, 512)\n"
      "    assert given.device.type in ('cuda', 'meta'), given.device\n    return given\n";
  const Report report = runInWorker(job);
  EXPECT_EQ(report.kernels[0]->counts.passed, 3);
}

TEST_F(GpuPython, AnIllegalAddressInTritonIsACrashAndTheNextJobRuns) {
  Job job = resourceJob("samples/relu_triton.py");
  std::string& text = job.kernels[0].text;
  const std::string store = "tl.store(out + at,";
  ASSERT_NE(text.find(store), std::string::npos);
  text.replace(text.find(store), store.size(), "tl.store(out + at + (1 << 40),");
  job.cases.resize(1);
  job.cases[0].op = "aten::relu";
  job.cases[0].args = "((T([5000], f32),), {})";
  losses_ = Losses::ofKernels;
  const Report broken = runInWorker(job);
  losses_ = Losses::none;
  EXPECT_EQ(broken.kernels[0]->cases[0].check.verdict, Verdict::crashed);
  EXPECT_THAT(broken.kernels[0]->cases[0].check.message, HasSubstr("ILLEGAL_ADDRESS"));
  EXPECT_EQ(timed(resourceJob("samples/relu_triton.py"), "after the crash").kernels[0]->counts.failed, 0);
}

TEST_F(GpuPython, ATensorOnTheCpuIsAWrongDevice) {
  Job job = resourceJob("samples/gelu.py");
  std::string& text = job.kernels[0].text;
  text.replace(text.find("return y.to(self.dtype)"), 23, "return y.to(self.dtype).cpu()");
  const Report report = runInWorker(job);
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::wrongDevice);
}

}  // namespace
}  // namespace wb
