// SPDX-License-Identifier: Apache-2.0
// What --strict adds to a call, by the length of the kernel, and to the run of a kernel. On a GPU: raw CUDA,
// which the judge launches itself, and a CUDA extension, which runs in a guest.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "app/cli/run/case_times.h"
#include "app/cli/run/run_job.h"
#include "core/base/quantity.h"
#include "core/model/report.h"
#include "tests/benchmarks/benchmarks.h"

namespace wb::bench {
namespace {

/// relu of three numbers, which takes so many microseconds.
std::string kernelOf(int microseconds) {
  return fmt::format(R"(#include <torch/extension.h>
#include <chrono>
at::Tensor relu(const at::Tensor& x) {{
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds({});
  at::Tensor y = at::clamp_min(x, 0);
  while (std::chrono::steady_clock::now() < end) {{
  }}
  return y;
}}
)",
                     microseconds);
}

struct Measured {
  double candidate = 0, reference = 0, seconds = 0;
};

std::optional<Measured> measured(const std::string& text, bool strict) {
  Job job;
  job.kernels = {{"relu.cpp", text, "torch_cpp", "relu", "", ""}};
  Case one;
  one.op = "aten::relu";
  one.args = "((T([3], f32),), {})";
  one.dtype = "f32";
  job.cases = {one};
  job.suite = "strict";
  job.strict = strict;
  const auto start = std::chrono::steady_clock::now();
  const auto report = runJob(job, {});
  if (!report || report->kernels[0]->cases.size() != 1 || !report->kernels[0]->cases[0].timing)
    return std::nullopt;
  const CaseTiming& timing = *report->kernels[0]->cases[0].timing;
  return Measured{timing.candidate, timing.reference, since(start)};
}

void onTheCpu() {
  for (const int microseconds : {5, 10, 20, 50, 100, 1000, 10000}) {
    const auto plain = measured(kernelOf(microseconds), false),
               apart = measured(kernelOf(microseconds), true);
    const std::string what = fmt::format("--strict, a kernel of {} µs", microseconds);
    if (!plain || !apart) {
      row(what, "no time", "", "");
      continue;
    }
    row(what + ": its time", formatChange(apart->candidate / plain->candidate - 1),
        microseconds >= 20 ? "≤ 10 %" : "-",
        fmt::format("{} instead of {}; ATen's relu of 3 numbers {} instead of {}; the run {} instead of {}",
                    formatSeconds(apart->candidate), formatSeconds(plain->candidate),
                    formatSeconds(apart->reference), formatSeconds(plain->reference),
                    formatSeconds(apart->seconds), formatSeconds(plain->seconds)));
  }
}

/// The body of relu of n numbers that takes at least n nanoseconds of the device's clock, in one block.
constexpr const char* slowRelu = R"(
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  for (long long i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] < 0 ? 0 : x[i];
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < static_cast<unsigned long long>(n));
}
)";

KernelSource rawCuda() {
  const std::string above = R"cuda(/* warpbench
operator = "aten::relu"
args = ["self", "out", "numel(self)"]
grid = ["1"]
block = [1024]
*/
__global__ void slow(const float* __restrict__ x, float* __restrict__ y, long long n) {)cuda";
  return {"relu.cu", above + slowRelu, "raw_cuda", "relu", "", ""};
}

KernelSource extension() {
  const std::string above = R"cuda(#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void slow(const float* __restrict__ x, float* __restrict__ y, long long n) {)cuda";
  const std::string below = R"cuda(
at::Tensor relu(const at::Tensor& x) {
  at::Tensor y = at::empty_like(x);
  slow<<<1, 1024, 0, at::cuda::getCurrentCUDAStream()>>>(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                                                         x.numel());
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu); }
)cuda";
  return {"relu.cu", above + slowRelu + below, "torch_cuda", "relu", "", ""};
}

struct OnTheGpu {
  std::vector<std::optional<CaseTiming>> timings;
  /// A case's seconds, by its index.
  std::map<std::uint32_t, double> cases;
  double run = 0;
};

OnTheGpu onTheGpu(const KernelSource& kernel, const std::vector<int>& microseconds, const std::string& device,
                  bool strict) {
  Job job;
  job.kernels = {kernel};
  for (const int length : microseconds) {
    Case one;
    one.op = "aten::relu";
    one.args = fmt::format("((T([{}], f32),), {{}})", 1000 * length);
    one.dtype = "f32";
    job.cases.push_back(one);
  }
  job.suite = "strict";
  job.device = device;
  job.strict = strict;
  CaseTimes times;
  const auto start = std::chrono::steady_clock::now();
  const auto report = runJob(job, {.onEvent = [&](const Event& event) { times.take(event); }});
  OnTheGpu taken{std::vector<std::optional<CaseTiming>>(microseconds.size()), times.seconds(), since(start)};
  if (!report) return taken;
  const auto& rows = report->kernels[0]->cases;
  for (std::size_t i = 0; i < rows.size() && i < taken.timings.size(); ++i) taken.timings[i] = rows[i].timing;
  return taken;
}

void compareOnTheGpu(const std::string& name, const KernelSource& kernel, const std::string& device) {
  const std::vector<int> lengths{5, 20, 50, 100, 1000, 10000};
  const OnTheGpu plain = onTheGpu(kernel, lengths, device, false),
                 apart = onTheGpu(kernel, lengths, device, true);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string what = fmt::format("--strict, {} of {} µs", name, lengths[i]);
    if (!plain.timings[i] || !apart.timings[i]) {
      row(what, "no time", "", "");
      continue;
    }
    // Strictly an extension has the time of its call alone, which holds what enqueueing one takes beyond the
    // kernel.
    const CaseTiming &before = *plain.timings[i], &after = *apart.timings[i];
    const auto index = static_cast<std::uint32_t>(i);
    const auto secondsOf = [index](const OnTheGpu& run) {
      return formatSeconds(run.cases.contains(index) ? run.cases.at(index) : 0);
    };
    row(what + ": its " + after.time, formatChange(after.candidate / before.candidate - 1),
        lengths[i] >= 20 ? "≤ 10 %" : "-",
        fmt::format("{} instead of {} ({}; its call {}); ATen's {} instead of {}; the case {} instead of {}",
                    formatSeconds(after.candidate), formatSeconds(before.candidate), before.time,
                    formatSeconds(before.call.candidate), formatSeconds(after.reference),
                    formatSeconds(before.reference), secondsOf(apart), secondsOf(plain)));
  }
  row(fmt::format("--strict, {}: the run", name), formatSeconds(apart.run), "-",
      formatSeconds(plain.run) + " without");
}

}  // namespace

void strict(const std::string& device) {
  if (device == "cpu") return onTheCpu();
  compareOnTheGpu("raw CUDA", rawCuda(), device);
  compareOnTheGpu("a CUDA extension", extension(), device);
}

}  // namespace wb::bench
