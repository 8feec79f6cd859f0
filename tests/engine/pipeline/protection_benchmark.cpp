// SPDX-License-Identifier: Apache-2.0
// What it costs on the CPU that timed calls get new contents and that some are looked at, by kernel length:
// the same calls are timed with that and without.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>

#include "core/engine/cases/contents.h"
#include "core/engine/reference/operator.h"
#include "core/engine/time/timed_calls.h"
#include "core/engine/time/timer.h"
#include "core/suites/literals/literal_parser.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

struct Taken {
  double call = 0, block = 0, ratio = 0, seconds = 0;
};

Taken take(std::int64_t elements, std::size_t sets, bool guarded) {
  Bench bench("aten::relu", [](const Stack& a) -> Stack { return {a[0].toTensor().clamp_min(0)}; });
  const std::string args = fmt::format("((T([{}], f32),), {{}})", elements);
  const KernelContext kernel = bench.context();
  const auto begin = std::chrono::steady_clock::now();
  const auto call = parseLiteral(args);
  auto contents = Contents::make(kernel, bench.definition(args), *call, 7);
  if (!contents) return {};
  TimedCalls calls(kernel, *std::move(contents), 7);
  if (!calls.learnSharing()) return {};
  for (std::size_t set = 0; set < sets; ++set)
    if (!calls.add(*call, {})) return {};
  Sides sides = calls.sides();
  if (!guarded) sides.between = nullptr;
  const auto clock = wallClock();
  const auto start = std::chrono::steady_clock::now();
  const auto timing = timeCase(sides, *clock, {0.25, 0.005}, 7, {});
  const auto end = std::chrono::steady_clock::now();
  if (!timing || timing->blocks.empty()) return {};
  if (guarded && calls.wrong()) fmt::print("a right kernel is called wrong\n");
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  const double blocks = static_cast<double>(timing->blocks.size()) + timing->warmups;
  return {timing->candidate, seconds(start, end) / blocks, timing->speedup.ratio,
          seconds(begin, std::chrono::steady_clock::now())};
}

void run() {
  fmt::print("{:>10} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9} {:>9} {:>9}\n", "elements", "call, none", "call",
             "block, none", "block", "ratio, n", "ratio", "case, n", "case");
  for (const std::int64_t elements : {25, 4096, 32768, 262144, 2097152, 16777216}) {
    const std::size_t sets = elements <= 32768 ? 64 : elements <= 2097152 ? 8 : 4;
    const Taken none = take(elements, sets, false), guarded = take(elements, sets, true);
    fmt::print(
        "{:>10} {:>9.2f} µs {:>9.2f} µs {:>9.1f} µs {:>9.1f} µs {:>9.4f} {:>9.4f} {:>7.3f} s {:>7.3f} s\n",
        elements, none.call * 1e6, guarded.call * 1e6, none.block * 1e6, guarded.block * 1e6, none.ratio,
        guarded.ratio, none.seconds, guarded.seconds);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace wb

int main() {
  wb::run();
}
