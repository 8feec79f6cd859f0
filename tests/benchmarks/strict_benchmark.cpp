// SPDX-License-Identifier: Apache-2.0
// What --strict adds to a call, by the length of the kernel, and to the run of a kernel.
#include <fmt/format.h>

#include <optional>

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

}  // namespace

void strict(const std::string& device) {
  if (device != "cpu") return;
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

}  // namespace wb::bench
