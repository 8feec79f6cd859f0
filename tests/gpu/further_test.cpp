// SPDX-License-Identifier: Apache-2.0
// Kernels that passed are asked at other shapes and with other values, and what comes of that harms nobody.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/text.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class GpuFurther : public GpuTest {
 protected:
  static constexpr const char* right = "if (i < n) y[i] = x[i] > 0 ? x[i] : 0;";

  /// Runs a kernel with this body, and after it one that is right.
  Report asked(const std::string& body) {
    Job job = reluJob(reluWith(body), {4096});
    job.kernels.push_back({"other.cu", reluWith(right), "raw_cuda", "aten::relu"});
    Report report = runInWorker(job);
    printAll(report);
    for (const auto& kernel : report.kernels) EXPECT_EQ(kernel->counts.passed, 1);
    EXPECT_EQ(warningsOf(*report.kernels[1]), "");
    EXPECT_TRUE(report.losses.empty()) << "a question is no loss";
    EXPECT_EQ(report.outcome, Outcome::finished);
    return report;
  }
  static std::string warningsOf(const KernelReport& kernel) {
    std::vector<std::string> all;
    for (const Diagnostic& each : kernel.diagnostics)
      if (each.severity == Severity::warning) all.push_back(each.message);
    return joined(all, "\n");
  }
};

TEST_F(GpuFurther, AKernelThatIsRightEverywhereIsNotRemarkedOn) {
  EXPECT_EQ(warningsOf(*asked(right).kernels[0]), "");
}

TEST_F(GpuFurther, OneThatIsForOneShapeIsSaidToBeWrongAtOthers) {
  const Report report = asked("if (i < n && n == 4096) y[i] = x[i] > 0 ? x[i] : 0;");
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it is wrong at other shapes"));
}

TEST_F(GpuFurther, AFaultAtOtherShapesIsSaidAndTheNextKernelRuns) {
  const Report report = asked(
      "if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (n != 4096) *reinterpret_cast<volatile int*>(16) = 1;");
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it makes a fault of the GPU at other shapes"));
}

TEST_F(GpuFurther, OneThatDoesNotEndAtOtherShapesIsSaidAndTheNextKernelRuns) {
  const Report report =
      asked("if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (n != 4096) while (true) __nanosleep(1000);");
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it does not end at other shapes"));
}

/// Kernels with code on the host are asked in the process that has checked and timed them.
class GpuFurtherHost : public GpuFurther {
 protected:
  Report askedOf(const KernelSource& source, bool time = false) {
    Job job = reluJob("", {4096});
    job.kernels = {source, {"other.cu", reluWith(right), "raw_cuda", "aten::relu"}};
    if (time) job.stages.add(Stage::time);
    job.timing.capSeconds = 0.25;
    Report report = runInWorker(job);
    printAll(report);
    for (const auto& kernel : report.kernels) EXPECT_EQ(kernel->counts.passed, 1);
    if (time) EXPECT_EQ(report.kernels[0]->counts.timed, 1);
    EXPECT_EQ(warningsOf(*report.kernels[1]), "");
    EXPECT_EQ(report.outcome, Outcome::finished);
    return report;
  }
  static KernelSource extension(const std::string& onDevice, const std::string& onHost = "") {
    return {"relu.cu",
            R"(#include <torch/extension.h>
__global__ void k(const float* x, float* y, long n) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  )" + onDevice +
                R"(
}
at::Tensor relu(const at::Tensor& given) {
  const at::Tensor self = given.contiguous();
  at::Tensor y = at::zeros_like(self);
  const long n = self.numel();
  )" + onHost + R"(
  k<<<(n + 255) / 256, 256>>>(self.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
)",
            "torch_cuda",
            "relu",
            "",
            ""};
  }
  static KernelSource triton(const std::string& mask) {
    return {"relu.py",
            R"(import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(value < 0, 0, value), mask=)" +
                mask + R"()


def relu_kernel_impl(self):
    self = self.contiguous()
    out = torch.zeros_like(self)
    relu_kernel[((self.numel() + 1023) // 1024,)](self, out, self.numel(), BLOCK=1024)
    return out
)",
            "triton",
            "relu",
            "",
            ""};
  }
};

TEST_F(GpuFurtherHost, ThoseThatAreRightEverywhereAreNotRemarkedOn) {
  for (const KernelSource& source : {extension(right), triton("at < n")})
    EXPECT_EQ(warningsOf(*askedOf(source, true).kernels[0]), "") << source.language;
}

TEST_F(GpuFurtherHost, OnesForOneShapeAreSaidToBeWrongAtOthers) {
  for (const KernelSource& source :
       {extension("if (i < n && n == 4096) y[i] = x[i] > 0 ? x[i] : 0;"), triton("at < n // 1024 * 1024")})
    EXPECT_THAT(warningsOf(*askedOf(source).kernels[0]), HasSubstr("it is wrong at other shapes"))
        << source.language;
}

TEST_F(GpuFurtherHost, OneThatTakesMemoryAsItLiesGetsANoteAndNoWarning) {
  KernelSource source = triton("at < n");
  source.text.replace(source.text.find("self.contiguous()"), 17, "self");
  const Report report = askedOf(source);
  EXPECT_EQ(warningsOf(*report.kernels[0]), "");
  std::string said;
  for (const Diagnostic& each : report.kernels[0]->diagnostics) said += each.message + "\n";
  EXPECT_THAT(said, HasSubstr("The kernel is wrong with other strides: sliced"));
}

TEST_F(GpuFurtherHost, OneForUsualValuesIsSaidToBeWrongWithOthers) {
  const Report report = askedOf(extension("if (i < n) y[i] = x[i] > 0 ? (x[i] < 20 ? x[i] : 20) : 0;"));
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it is wrong with other values"));
}

TEST_F(GpuFurtherHost, AFaultAtOtherShapesIsSaidAndTheNextKernelRuns) {
  const Report report = askedOf(
      extension(
          "if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (n != 4096) *reinterpret_cast<volatile int*>(16) = 1;"),
      true);
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it makes a fault of the GPU at other shapes"));
  EXPECT_TRUE(report.losses.empty()) << "a question is no loss";
}

TEST_F(GpuFurtherHost, OneThatDoesNotEndAtOtherShapesIsSaidAndTheNextKernelRuns) {
  const Report report = askedOf(
      extension("if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (n != 4096) while (true) __nanosleep(1000);"));
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it does not end at other shapes"));
  EXPECT_TRUE(report.losses.empty()) << "a question is no loss";
}

TEST_F(GpuFurtherHost, ACrashOfItsCodeOnTheHostIsItsOwnAndTheNextKernelRuns) {
  losses_ = Losses::ofKernels;
  const Report report =
      askedOf(extension(right, "if (n != 4096) *reinterpret_cast<volatile int*>(16) = 1;"), true);
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("at other shapes or with other values"));
  ASSERT_EQ(report.losses.size(), 1U);
  EXPECT_EQ(report.losses[0].blame, Blame::kernel);
}

TEST_F(GpuFurtherHost, AProblemIsAskedWithOtherValues) {
  Job job;
  job.device = "cuda:0";
  job.stages = Stages().set(Stage::check, true);
  job.kernels = {{"softmax.py", R"(import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.softmax(x, -1)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        e = torch.exp(x)
        return e / e.sum(-1, keepdim=True)


def get_inputs():
    return [torch.randn(4096, 8192)]


def get_init_inputs():
    return []
)",
                  "python", "", "", ""}};
  const Report report = runInWorker(job);
  printAll(report);
  EXPECT_GT(report.kernels[0]->counts.passed, 0);
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("with other values: 256 times as large"));
}

}  // namespace
}  // namespace wb
