// SPDX-License-Identifier: Apache-2.0
// Bands around the memory of a GPU: what a kernel writes outside of its tensors is named, in every language,
// and honest uses of memory are not.
#include <gmock/gmock.h>

#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class GpuWrittenBeyond : public GpuTest {
 protected:
  static Job jobOf(const std::string& file, const std::string& language, const std::string& text,
                   std::int64_t elements = 1001) {
    Job job = reluJob("", {elements});
    job.kernels = {{file, text, language, "relu", "", ""}};
    return job;
  }
  CaseCheck checked(const Job& job) {
    const Report report = runInWorker(job);
    printAll(report);
    const KernelReport& kernel = *report.kernels[0];
    if (kernel.failure) ADD_FAILURE() << describe(*kernel.failure);
    if (kernel.cases.size() == 0) return {};
    return kernel.cases[0].check;
  }
  void expectNamed(const Job& job, const std::string& words) {
    const CaseCheck check = checked(job);
    EXPECT_EQ(check.verdict, Verdict::changedInput);
    EXPECT_THAT(check.message, HasSubstr("the kernel writes " + words));
  }
};

constexpr const char* tritonWith = R"(import torch
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, n, LOOSE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(value < 0, 0, value), mask=(at < n) | LOOSE)

)";

TEST_F(GpuWrittenBeyond, RawCudaBehindItsResult) {
  expectNamed(reluJob(reluWith("if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (i == n - 1) y[n] = 7;"), {1000}),
              "beyond the end of its result");
}

TEST_F(GpuWrittenBeyond, RawCudaInFrontOfItsInput) {
  expectNamed(
      reluJob(reluWith("if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (i == 0) const_cast<float*>(x)[-2] = 7;"),
              {1000}),
      "in front of its input 'self'");
}

TEST_F(GpuWrittenBeyond, TritonWithoutAMaskBehindItsResult) {
  expectNamed(jobOf("relu.py", "triton", std::string(tritonWith) + R"(
def relu_kernel_impl(x):
    y = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), LOOSE=True, BLOCK=1024)
    return y
)"),
              "beyond the end of its result");
}

TEST_F(GpuWrittenBeyond, ATemporaryThatIsFreedBeforeTheKernelHasRun) {
  expectNamed(jobOf("relu.py", "triton", std::string(tritonWith) + R"(
def relu_kernel_impl(x):
    torch.cuda._sleep(10_000_000)
    t = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 1024),)](x, t, x.numel(), LOOSE=True, BLOCK=1024)
    del t
    return x.clamp(min=0)
)"),
              "beyond the end of a tensor that it made for itself");
}

TEST_F(GpuWrittenBeyond, TorchInCppBehindItsInput) {
  expectNamed(jobOf("relu.cpp", "torch_cpp", R"(// Device: any
#include <ATen/ATen.h>
at::Tensor relu_kernel_impl(const at::Tensor& self) {
  at::Tensor y = at::clamp_min(self, 0);
  at::from_blob(self.data_ptr<float>() + self.numel(), {3}, self.options()).fill_(7);
  return y;
}
)"),
              "beyond the end of its input 'self'");
}

TEST_F(GpuWrittenBeyond, ACudaExtensionBehindItsResult) {
  expectNamed(jobOf("relu.cu", "torch_cuda", R"(#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + 5) y[i] = i >= n ? 7 : x[i] < 0 ? 0 : x[i];
}
at::Tensor relu(const at::Tensor& self) {
  at::Tensor y = at::empty_like(self);
  const int n = self.numel();
  k<<<(n + 511) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(self.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
)"),
              "beyond the end of its result");
}

TEST_F(GpuWrittenBeyond, HonestUsesOfMemoryRaiseNoAlarm) {
  Job job = jobOf("relu.py", "python", R"(import torch
side = torch.cuda.Stream()
kept = []
graphs = {}

def through_a_graph(x):
    if x.shape not in graphs:
        given = torch.empty_like(x)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            out = (given + torch.empty(100, device=x.device).fill_(1).sum() * 0).clamp(min=0)
        graphs[x.shape] = (graph, given, out)
    graph, given, out = graphs[x.shape]
    given.copy_(x)
    graph.replay()
    return out.clone()

def relu_kernel_impl(x):
    kept.append(torch.empty(3, device=x.device).fill_(1))
    kept[-1].resize_(300).fill_(2)
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        other = torch.empty(100_000, device=x.device).fill_(3)
        x.record_stream(side)
    torch.cuda.current_stream().wait_stream(side)
    other.record_stream(torch.cuda.current_stream())
    many = [torch.empty(2, dtype=torch.long, device=x.device).fill_(4) for _ in range(5000)]
    torch.cuda.memory_stats()
    raw = torch.cuda.caching_allocator_alloc(1000)
    torch.cuda.caching_allocator_delete(raw)
    large = [torch.empty(100 << 20, dtype=torch.uint8, device=x.device).fill_(5) for _ in range(3)]
    for _ in range(12):
        large.pop(0)
        large.append(torch.empty(100 << 20, dtype=torch.uint8, device=x.device).fill_(6))
    return through_a_graph(x)
)");
  job.stages.set(Stage::time, true);
  job.timing.capSeconds = 0.25;
  job.limits.caseSeconds = 120;  // Each call makes thousands of tensors and fills gigabytes.
  const CaseCheck check = checked(job);
  EXPECT_EQ(check.verdict, Verdict::pass) << check.message;
}

}  // namespace
}  // namespace wb
