// SPDX-License-Identifier: Apache-2.0
// What protections cost on the CPU, by the length of the kernel and the size of its input: ATen's relu
// against itself, without new contents and looks at calls, with them, and strictly judged.
#include <fmt/core.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "app/cli/run/case_times.h"
#include "app/cli/run/run_job.h"
#include "core/engine/cases/contents.h"
#include "core/engine/reference/operator.h"
#include "core/engine/time/timed_calls.h"
#include "core/engine/time/timer.h"
#include "core/suites/literals/literal_parser.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

constexpr const char* kernelText = R"(#include <torch/extension.h>
at::Tensor relu(const at::Tensor& x) { return at::relu(x); }
)";
constexpr double capSeconds = 0.25, targetHalfWidth = 0.005;

struct Taken {
  double call = 0, ratio = 0, seconds = 0;
};

std::string argumentsOf(std::int64_t elements) {
  return fmt::format("((T([{}], f32),), {{}})", elements);
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Times the calls within this process, with nothing done between samples.
std::optional<Taken> without(std::int64_t elements) {
  Bench bench("aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().relu()}; });
  const std::string args = argumentsOf(elements);
  const KernelContext kernel = bench.context();
  const auto start = std::chrono::steady_clock::now();
  const auto call = parseLiteral(args);
  auto contents = Contents::make(kernel, bench.definition(args), *call, 7);
  if (!contents) return std::nullopt;
  TimedCalls calls(kernel, *std::move(contents), 7);
  if (!calls.learnSharing()) return std::nullopt;
  const int sets = elements <= 32768 ? 64 : elements <= 2097152 ? 8 : 4;
  if (!calls.prepare(*call, {}, sets, {})) return std::nullopt;
  Sides sides = calls.sides();
  sides.between = nullptr;
  const auto timing = timeCase(sides, *wallClock(), {capSeconds, targetHalfWidth}, 7, {});
  if (!timing) return std::nullopt;
  return Taken{timing->candidate, timing->speedup.ratio, since(start)};
}

/// The same kernel through a worker.
std::optional<Taken> judged(std::int64_t elements, bool strict) {
  Job job;
  job.kernels = {{"relu.cpp", kernelText, "torch_cpp", "relu", "", ""}};
  Case one;
  one.op = "aten::relu";
  one.args = argumentsOf(elements);
  one.dtype = "f32";
  job.cases = {one};
  job.suite = "protection";
  job.strict = strict;
  job.timing.capSeconds = capSeconds;
  CaseTimes times;
  const auto report = runJob(job, {.onEvent = [&](const Event& event) { times.take(event); }});
  if (!report || report->kernels[0]->cases.size() != 1 || !report->kernels[0]->cases[0].timing)
    return std::nullopt;
  const CaseTiming& timing = *report->kernels[0]->cases[0].timing;
  const auto seconds = times.seconds();
  return Taken{timing.candidate, timing.speedup.ratio, seconds.empty() ? 0 : seconds.begin()->second};
}

void print(const std::optional<Taken>& taken) {
  if (!taken) return fmt::print(" │ {:>31}", "no time");
  fmt::print(" │ {:>9.2f} µs {:>8.3f} {:>8.2f} s", taken->call * 1e6, taken->ratio, taken->seconds);
}

void run() {
  fmt::print("{:>10} │ {:^31} │ {:^31} │ {:^31}\n", "", "without", "by default", "strict");
  fmt::print("{:>10}", "elements");
  for (int i = 0; i < 3; ++i) fmt::print(" │ {:>12} {:>8} {:>9}", "call", "ratio", "case");
  fmt::print("\n");
  for (const std::int64_t elements : {25, 4096, 32768, 262144, 2097152, 16777216}) {
    fmt::print("{:>10}", elements);
    print(without(elements));
    print(judged(elements, false));
    print(judged(elements, true));
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace wb

int main() {
  std::signal(SIGPIPE, SIG_IGN);
  setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 0);
  wb::run();
}
