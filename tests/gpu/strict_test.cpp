// SPDX-License-Identifier: Apache-2.0
// Strict judging on a GPU: each side's code in a process of its own, inputs and results in memory that both
// see.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class GpuStrict : public GpuTest {
 protected:
  Report judged(Job job) {
    job.strict = true;
    Report report = runInWorker(job);
    const KernelReport& kernel = *report.kernels[0];
    printAll(report);
    if (kernel.failure) ADD_FAILURE() << describe(*kernel.failure);
    if (report.failure) ADD_FAILURE() << describe(*report.failure);
    for (std::size_t i = 0; i < kernel.cases.size(); ++i)
      if (const CaseRow& row = kernel.cases[i]; row.timing)
        fmt::print("{}: {:.3g} us, reference {:.3g} us, {:.3f} ({:.3f} to {:.3f}), an order {:.2g} us {}\n",
                   row.definition.args, row.timing->candidate * 1e6, row.timing->reference * 1e6,
                   row.timing->speedup.ratio, row.timing->speedup.low, row.timing->speedup.high,
                   row.timing->empty * 1e6, row.timing->note);
      else if (!row.notTimed.empty())
        fmt::print("{}: {}\n", row.definition.args, row.notTimed);
    return report;
  }
  /// A CUDA extension for relu with this body of its kernel; x, y, i and n are there.
  static Job extensionJob(const std::string& body, const std::vector<std::int64_t>& elements) {
    Job job = reluJob("", elements);
    job.kernels = {{"relu.cu",
                    R"(#include <torch/extension.h>
__global__ void k(const float* x, float* y, long n) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  )" + body + R"(
}
at::Tensor relu(const at::Tensor& self) {
  at::Tensor y = at::empty_like(self);
  const long n = self.numel();
  k<<<(n + 255) / 256, 256>>>(self.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
)",
                    "torch_cuda", "relu", "", ""}};
    return job;
  }
  /// Both sides of the one case have read so many floats, and neither has used the tensor cores.
  static void expectCounted(const Report& report, std::int64_t elements) {
    ASSERT_EQ(report.kernels[0]->cases.size(), 1U);
    const CaseRow& row = report.kernels[0]->cases[0];
    ASSERT_TRUE(row.profile) << row.notTimed;
    const CaseProfile& profile = **row.profile;
    EXPECT_TRUE(profile.done) << profile.notProfiled;
    for (const SideProfile* side : {&profile.candidate, &profile.reference}) {
      for (const std::string& note : side->notes) fmt::print("note: {}\n", note);
      ASSERT_EQ(side->launches.size(), 1U);
      EXPECT_GT(side->passes, 0);
      const auto& metrics = side->launches[0].metrics;
      const auto bytes = std::find_if(metrics.begin(), metrics.end(), [](const MetricValue& each) {
        return each.name == "dram__bytes_read.sum";
      });
      fmt::print("{}: {} metrics in {} passes, {:.3g} s\n", side->launches[0].kernel, metrics.size(),
                 side->passes, side->seconds);
      ASSERT_NE(bytes, metrics.end());
      EXPECT_TRUE(std::none_of(metrics.begin(), metrics.end(), [](const MetricValue& each) {
        return each.name.starts_with("sm__ops_path_tensor");
      }));
      const double expected = 4 * static_cast<double>(elements);
      EXPECT_NEAR(bytes->value, expected, 0.05 * expected);
    }
    EXPECT_NE(profile.candidate.launches[0].kernel, profile.reference.launches[0].kernel);
  }
  static Job pythonJob(const std::string& text, const std::vector<std::int64_t>& elements) {
    Job job = reluJob("", elements);
    job.kernels = {{"relu.py", text, "python", "relu", "", ""}};
    return job;
  }
};

TEST_F(GpuStrict, SamplesOfEveryLanguageAgreeWithAten) {
  for (const char* file : {"samples/gelu.py", "samples/relu_triton.py", "templates/torch_cpp.cpp",
                           "samples/relu_torch_cuda.cu", "samples/layer_norm_torch_cuda.cu"}) {
    const Report report = judged(resourceJob(file, true));
    EXPECT_EQ(report.kernels[0]->counts.failed, 0) << file;
    EXPECT_GT(report.kernels[0]->counts.passed, 5) << file;
    EXPECT_GT(report.kernels[0]->counts.timed, 3) << file;
  }
}

TEST_F(GpuStrict, AKernelForTheCpuIsLeftOutAndSaysSo) {
  const Report report = judged(resourceJob("samples/relu.cpp", true));
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_EQ(kernel.counts.checked, 0);
  ASSERT_TRUE(kernel.compiled);
  EXPECT_THAT(kernel.compiled->note, HasSubstr("it says that it is for the CPU"));
}

TEST_F(GpuStrict, AProblemIsCheckedAndTimed) {
  const Report report = judged(resourceJob("templates/problem.py", true));
  EXPECT_EQ(report.kernels[0]->counts.passed, 3);
  EXPECT_EQ(report.kernels[0]->counts.timed, 1);
}

TEST_F(GpuStrict, RawCudaIsLaunchedByTheJudge) {
  const Report report = judged(reluJob(reluWith("if (i < n) y[i] = x[i] > 0 ? x[i] : 0;"), {1000, 100000}));
  EXPECT_EQ(report.kernels[0]->counts.passed, 2);
}

TEST_F(GpuStrict, WhatIsWrittenOutsideOfAnInputIsNamed) {
  Job job = reluJob("", {1000});
  job.kernels = {{"relu.cpp", R"(// Device: any
#include <ATen/ATen.h>
at::Tensor relu_kernel_impl(const at::Tensor& self) {
  at::Tensor y = at::clamp_min(self, 0);
  at::from_blob(self.data_ptr<float>() + self.numel(), {3}, self.options()).fill_(7);
  return y;
}
)",
                  "torch_cpp", "relu", "", ""}};
  const Report report = judged(job);
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::changedInput);
  EXPECT_THAT(report.kernels[0]->cases[0].check.message, HasSubstr("beyond the end of its input 'self'"));
}

TEST_F(GpuStrict, AFaultOfTheGpuCostsItsCaseAndNotTheWorker) {
  const Report report = judged(pythonJob(R"(import torch
def relu_kernel_impl(x):
    if x.numel() == 2000:
        x[torch.tensor([1 << 20], device=x.device)]
    return x.clamp(min=0)
)",
                                         {1000, 2000, 3000}));
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_EQ(kernel.cases[0].check.verdict, Verdict::pass);
  EXPECT_EQ(kernel.cases[1].check.verdict, Verdict::crashed);
  EXPECT_THAT(kernel.cases[1].check.message, HasSubstr("ASSERT"));
  EXPECT_EQ(kernel.cases[2].check.verdict, Verdict::pass);
  EXPECT_TRUE(report.losses.empty()) << "the worker lives on";
}

TEST_F(GpuStrict, AnExtensionThatIsWrongIsFoundAndItsKernelsAreTold) {
  const Report report =
      judged(extensionJob("if (i < n) y[i] = (x[i] < 0 ? 0 : x[i]) + (i == n - 1);", {1000}));
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_EQ(kernel.cases[0].check.verdict, Verdict::mismatch);
  ASSERT_TRUE(kernel.compiled);
  EXPECT_EQ(kernel.compiled->note, "");
  ASSERT_FALSE(kernel.compiled->artifacts.empty());
  EXPECT_EQ(kernel.compiled->artifacts[0].name, "k");
  EXPECT_GT(kernel.compiled->artifacts[0].registers, 0);
}

TEST_F(GpuStrict, WhatAnExtensionWritesOutsideOfItsInputIsNamed) {
  const Report report = judged(extensionJob(
      "if (i < n) y[i] = x[i] < 0 ? 0 : x[i]; if (i == 0) const_cast<float*>(x)[n + 2] = 7;", {1000}));
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::changedInput);
  EXPECT_THAT(report.kernels[0]->cases[0].check.message, HasSubstr("beyond the end of its input 'self'"));
}

TEST_F(GpuStrict, AFaultOfAnExtensionCostsItsCaseAndTheNextGuestHasItsKernels) {
  const Report report = judged(extensionJob(
      "if (i < n) y[i + (n == 2000 ? 1l << 40 : 0)] = x[i] < 0 ? 0 : x[i];", {1000, 2000, 3000}));
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_EQ(kernel.cases[0].check.verdict, Verdict::pass);
  EXPECT_EQ(kernel.cases[1].check.verdict, Verdict::crashed);
  EXPECT_THAT(kernel.cases[1].check.message, HasSubstr("illegal"));
  EXPECT_EQ(kernel.cases[2].check.verdict, Verdict::pass);
  EXPECT_TRUE(report.losses.empty()) << "the worker lives on";
}

TEST_F(GpuStrict, AnExtensionForNvccIsBuiltByTheJudge) {
  Job job = extensionJob("if (i < n) y[i] = (x[i] < 0 ? 0 : x[i]) * factor[0];", {1000});
  std::string& text = job.kernels[0].text;
  text.insert(text.find("__global__"), "__constant__ float factor[1];\n");
  text.insert(text.find("  k<<<"),
              "  const float one = 1;\n  cudaMemcpyToSymbol(factor, &one, sizeof(one));\n");
  job.limits.compileSeconds = 300;
  job.strict = true;
  const Report report = runInWorker(job);
  const auto& failure = report.kernels[0]->failure;
  if (failure && failure->text.find("nvcc was not found") != std::string::npos)
    GTEST_SKIP() << "not run: no nvcc";
  ASSERT_FALSE(failure) << describe(*failure);
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::pass);
  ASSERT_TRUE(report.kernels[0]->compiled);
  EXPECT_THAT(report.kernels[0]->compiled->toolchain, HasSubstr("nvcc"));
}

/// The counters of a kernel are known: it reads and writes each number once.
TEST_F(GpuStrict, CountersAreReadInTheProcessesOfBothSides) {
  constexpr std::int64_t elements = std::int64_t{1} << 24;
  Job job = extensionJob("if (i < n) y[i] = x[i] < 0 ? 0 : x[i];", {elements});
  job.stages.add(Stage::time);
  job.stages.add(Stage::profile);
  job.profile.sections = {"quick"};
  job.profile.timeline = job.profile.listing = false;
  for (const bool again : {false, true}) {
    const Report report = judged(job);
    expectCounted(report, elements);
    const SideProfile& reference = (*report.kernels[0]->cases[0].profile)->reference;
    EXPECT_EQ(std::count(reference.notes.begin(), reference.notes.end(),
                         "Counted when the same reference ran before."),
              again ? 1 : 0);
  }
}

TEST_F(GpuStrict, WorkThatIsLeftBehindIsNoAnswer) {
  const Report report = judged(pythonJob(R"(import torch
torch.cuda.synchronize = lambda *a: None
side = torch.cuda.Stream()
def relu_kernel_impl(x):
    y = torch.full_like(x, 5)
    torch.cuda.current_stream().synchronize()
    import threading, time
    def later():
        time.sleep(0.05)
        with torch.cuda.stream(side):
            y.copy_(x.clamp(min=0))
    threading.Thread(target=later).start()
    return y
)",
                                         {1000, 2000}));
  for (std::size_t i = 0; i < report.kernels[0]->cases.size(); ++i)
    EXPECT_EQ(report.kernels[0]->cases[i].check.verdict, Verdict::mismatch);
}

}  // namespace
}  // namespace wb
