// SPDX-License-Identifier: Apache-2.0
// The real worker and compiler, timed from outside as a user waits for them.
#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <optional>

#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/model/report.h"
#include "core/runner/runner.h"
#include "core/suites/suites.h"
#include "tests/benchmarks/benchmarks.h"

namespace wb::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* reluSource = R"(#include <torch/extension.h>
at::Tensor relu_kernel_impl(const at::Tensor& self) { return self.clamp_min(0); }
)";
constexpr const char* crashSource = R"(#include <torch/extension.h>
at::Tensor relu_kernel_impl(const at::Tensor& self) { volatile int* p = nullptr; *p = 1; return self; }
)";
constexpr const char* cudaSource = R"cuda(/* warpbench
operator = "aten::relu"
args = ["self", "out", "numel(self)"]
*/
__global__ void relu(const scalar_t* in, scalar_t* out, long n) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > scalar_t(0) ? in[i] : scalar_t(0);
}
)cuda";

constexpr const char* inlineSource = R"py(import torch
from torch.utils.cpp_extension import load_inline

cuda_source = """
// {}
#include <ATen/cuda/CUDAContext.h>
__global__ void relu_kernel(const float* x, float* y, int64_t n) {{
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = x[i] <= 0 ? 0 : x[i];
}}
torch::Tensor relu_cuda(torch::Tensor input) {{
  const auto x = input.contiguous().to(torch::kFloat32);
  auto y = torch::empty_like(x);
  if (x.numel() == 0) return y.to(input.scalar_type());
  relu_kernel<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y.to(input.scalar_type());
}}
"""
extension = load_inline("relu_inline", "torch::Tensor relu_cuda(torch::Tensor input);", cuda_source,
                        functions=["relu_cuda"])

def relu_kernel_impl(self):
    return extension.relu_cuda(self)
)py";

constexpr const char* extensionSource = R"cuda(#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
template <typename T>
__global__ void relu_kernel(const T* in, T* out, long n) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > T(0) ? in[i] : T(0);
}
at::Tensor relu_kernel_impl(const at::Tensor& self) {
  const at::Tensor x = self.contiguous();
  at::Tensor out = at::empty_like(x);
  const long n = x.numel();
  if (n == 0) return out;
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu", [&] {
    relu_kernel<scalar_t><<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n);
  });
  return out;
}
)cuda";
constexpr const char* pythonSource = R"(import torch
def relu_kernel_impl(x):
    return torch.clamp_min(x, 0)
)";
constexpr const char* pythonExitSource = R"(import os
def relu_kernel_impl(x):
    os._exit(1)
)";
constexpr const char* tritonSource = R"(import torch, triton
import triton.language as tl
@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(y + at, tl.where(value < 0, 0, value), mask=at < n)
def relu_kernel_impl(x):
    x = x.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y
)";

/// When the events of one run came, seconds after submit.
struct Times {
  std::optional<double> compiled, firstVerdict, crashed, finished;
  int checked = 0, failed = 0, timed = 0;
  std::string problem;
};

Times runOnce(Runner& runner, Job job) {
  std::mutex mutex;
  std::condition_variable done;
  Times times;
  const auto start = SteadyClock::now();
  runner.submit(std::move(job), [&](Runner::RunId, const Event& event) {
    const std::lock_guard lock(mutex);
    if (resultIn<Compiled>(event) && !times.compiled) times.compiled = since(start);
    if (const auto* check = resultIn<CaseCheck>(event)) {
      if (!times.firstVerdict) times.firstVerdict = since(start);
      ++times.checked;
      if (tally(check->verdict) == Tally::fail) ++times.failed;
      if (check->verdict == Verdict::crashed && !times.crashed) times.crashed = since(start);
    }
    if (resultIn<CaseTiming>(event)) ++times.timed;
    if (const auto* failure = std::get_if<StageFailed>(&event)) times.problem = describe(failure->error);
    if (std::holds_alternative<Finished>(event)) {
      times.finished = since(start);
      done.notify_all();
    }
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return times.finished.has_value(); });
  return times;
}

Job job(const std::string& path, const std::string& text, const std::string& language, const Suite& suite,
        const std::string& device, bool time) {
  Job job;
  job.kernels.push_back({.path = path,
                         .text = text,
                         .language = language,
                         .op = "relu",
                         .referencePath = "",
                         .referenceText = ""});
  job.suite = suite.name;
  job.cases = suite.cases;
  job.stages.set(Stage::time, time);
  job.timing.capSeconds = 0.25;
  job.device = device;
  return job;
}

std::string shown(const std::optional<double>& seconds, const Times& times) {
  return seconds ? formatSeconds(*seconds) : times.problem.empty() ? "never" : "failed: " + times.problem;
}

void command(const std::string& what, std::vector<std::string> argv, const std::string& aim,
             const std::string& beside) {
  const auto result =
      runToEnd({.argv = std::move(argv), .folder = {}, .environment = {}}, std::chrono::minutes{5});
  row(what,
      !result        ? describe(result.error())
      : result->ok() ? formatSeconds(result->seconds)
                     : describe(result->ending),
      aim, beside);
}

void torchCpp(Runner& runner, const Suite& relu, const std::string& device) {
  Suite one{.name = "one", .cases = {relu.cases.front()}};
  const std::string fresh =
      fmt::format("{}// {}\n", reluSource, SteadyClock::now().time_since_epoch().count());
  Times times = runOnce(runner, job("relu.cpp", fresh, "torch_cpp", one, device, false));
  row("torch C++ relu: save → first verdict, warm worker", shown(times.firstVerdict, times), "≤ 2 s",
      "torch's load_inline 47.9 s on 16 cores");
  times = runOnce(runner, job("relu.cpp", fresh, "torch_cpp", one, device, false));
  row("the same, unchanged (cache)", shown(times.firstVerdict, times), "≤ 0.2 s", "");
  times = runOnce(runner, job("relu.cpp", fresh, "torch_cpp", relu, device, true));
  row(fmt::format("the same, {} cases checked and timed, quick", times.checked), shown(times.finished, times),
      "-", fmt::format("{} timed, {} failed", times.timed, times.failed));
}

void crash(Runner& runner, const Suite& relu, const std::string& device) {
  Suite one{.name = "one", .cases = {relu.cases.front()}};
  runOnce(runner, job("crash.cpp", crashSource, "torch_cpp", one, device,
                      false));  // compiled once, so that the next crash is only a crash
  std::this_thread::sleep_for(std::chrono::seconds{3});  // the spare gets warm
  const Times crashed = runOnce(runner, job("crash.cpp", crashSource, "torch_cpp", one, device, false));
  const Times next = runOnce(runner, job("relu.cpp", reluSource, "aten", one, device, false));
  if (!crashed.crashed || !next.firstVerdict) {
    row("worker crash → next job's verdict, warm spare", shown(crashed.crashed, crashed), "≤ 0.1 s", "");
    return;
  }
  row("worker crash → next job's verdict, warm spare",
      formatSeconds(*crashed.finished - *crashed.crashed + *next.firstVerdict), "≤ 0.1 s",
      "cold start of a worker: see below");
}

/// Compiled where there is no GPU too: what it takes until the function could be called.
void cudaExtension(Runner& runner, const Suite& relu, const std::string& device) {
  Suite one{.name = "one", .cases = {relu.cases.front()}};
  const std::string fresh =
      fmt::format("{}// {}\n", extensionSource, SteadyClock::now().time_since_epoch().count());
  Times times = runOnce(runner, job("relu.cu", fresh, "torch_cuda", one, device, false));
  row("CUDA extension, host and device in one file: save → callable", shown(times.compiled, times), "≤ 12 s",
      "load_inline 47.9 s on 16 cores");
  times = runOnce(runner, job("relu.cu", fresh, "torch_cuda", one, device, false));
  row("the same, unchanged (cache)", shown(times.compiled, times), "≤ 0.3 s", "");
}

/// A source that no cache knows, for one case: the first needs Python itself, the second only itself.
void python(Runner& runner, const Suite& relu, const std::string& device) {
  Suite one{.name = "one", .cases = {relu.cases.front()}};
  const auto fresh = [](const char* text) {
    return fmt::format("{}# {}\n", text, SteadyClock::now().time_since_epoch().count());
  };
  Times times = runOnce(runner, job("relu.py", fresh(pythonSource), "python", one, device, false));
  row("Python relu: first job, Python and torch start", shown(times.firstVerdict, times), "-",
      "import torch alone 1.5–1.7 s");
  times = runOnce(runner, job("relu.py", fresh(pythonSource), "python", one, device, false));
  row("Python relu: save → verdict, warm worker", shown(times.firstVerdict, times), "≤ 0.5 s",
      "a new process: 1.55 s");
  for (const char* which : {"first", "second"}) {
    times = runOnce(runner, job("relu.py", fresh(tritonSource), "triton", one, device, false));
    row(fmt::format("Triton relu: save → verdict, warm worker, {} kernel", which),
        shown(times.firstVerdict, times), "≤ 1.5 s", "CUDA evaluation server 6.6–8.1 s");
  }
  const std::string inlined = fmt::format(inlineSource, SteadyClock::now().time_since_epoch().count());
  times = runOnce(runner, job("relu.py", inlined, "python", one, device, false));
  row("load_inline, C++ and CUDA: save → callable, warm worker", shown(times.compiled, times), "≤ 12 s",
      "torch itself 47.9 s on 16 cores");
  times = runOnce(runner, job("relu.py", inlined, "python", one, device, false));
  row("the same, unchanged (cache)", shown(times.compiled, times), "≤ 0.3 s", "");
  runOnce(runner, job("exit.py", pythonExitSource, "python", one, device, false));
  std::this_thread::sleep_for(std::chrono::seconds{8});  // the spare imports torch
  runOnce(runner, job("exit.py", pythonExitSource, "python", one, device, false));
  times = runOnce(runner, job("relu.py", fresh(pythonSource), "python", one, device, false));
  row("Python relu after a crash, warm spare", shown(times.firstVerdict, times), "≤ 0.5 s", "");
}

void rawCuda(Runner& runner, const Suite& relu, const std::string& device) {
  Suite one{.name = "one", .cases = {relu.cases.front()}};
  for (const Case& definition : relu.cases)
    if (definition.dtype == "f32" && definition.shapes.find("strided") == std::string::npos)
      one.cases[0] = definition;
  for (int i = 0; i < 3; ++i) {
    const std::string fresh =
        fmt::format("{}// {}\n", cudaSource, SteadyClock::now().time_since_epoch().count());
    const Times times = runOnce(runner, job("relu.cu", fresh, "raw_cuda", one, device, true));
    row(fmt::format("raw CUDA relu, one case ({} {}) compiled, checked, timed", one.cases[0].shapes,
                    one.cases[0].dtype),
        shown(times.finished, times), "≤ 0.15 s", "CUDA evaluation server 4.4–5.1 s");
  }
  const Times all = runOnce(runner, job("relu.cu", cudaSource, "raw_cuda", relu, device, true));
  row(fmt::format("raw CUDA relu, whole smoke suite: {} cases, {} timed, {} failed", all.checked, all.timed,
                  all.failed),
      shown(all.finished, all), "≤ 0.5 s", "");
}

}  // namespace

void flow(const std::string& device) {
  auto smoke = loadSuite("smoke");
  if (!smoke) {
    fmt::print("no smoke suite: {}\n", describe(smoke.error()));
    return;
  }
  const std::vector<std::string> filter{"relu"};
  auto relu = filterOperators(std::move(*smoke), filter);
  {
    Runner runner(localLauncher(), device, {});
    Suite one{.name = "one", .cases = {relu->cases.front()}};
    const Times first = runOnce(runner, job("", "", "aten", one, device, false));
    row("cold worker: start → first verdict (ATen)", shown(first.firstVerdict, first), "-",
        "import torch alone 1.5–1.7 s");
    torchCpp(runner, *relu, device);
    crash(runner, *relu, device);
    if (device != "cpu") rawCuda(runner, *relu, device);
    cudaExtension(runner, *relu, device);
    python(runner, *relu, device);
  }
  command("warpbench run --op relu --suite smoke (ATen against itself, cold)",
          {WB_BINARY_DIR "/bin/warpbench", "run", "--op", "relu", "--suite", "smoke", "--device", device,
           "--quick"},
          "≤ 3 s", "BackendBench's smoke 7.8–12.4 s");
  command("warpbench list suites", {WB_BINARY_DIR "/bin/warpbench", "list", "suites"}, "-", "");
}

}  // namespace wb::bench
