// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/math_mode.h"

#include <ATen/Context.h>
#include <fmt/format.h>

namespace wb {

std::string mathMode(const std::string& device) {
  if (!device.starts_with("cuda")) return {};
  const auto word = [](bool on) { return on ? "on" : "off"; };
  try {
    const at::Context& context = at::globalContext();
    constexpr auto reduced = at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK;
    const bool half = context.allowFP16ReductionCuBLAS() == reduced;
    const bool brain = context.allowBF16ReductionCuBLAS() == reduced;
    return fmt::format("TF32 {}, reduced-precision sums {}{}{}{}", word(context.allowTF32CuBLAS()),
                       word(half), half == brain ? "" : fmt::format(" for fp16, {} for bf16", word(brain)),
                       context.allowFP16AccumulationCuBLAS() ? ", fp16 accumulation on" : "",
                       context.deterministicAlgorithms() ? ", deterministic" : "");
  } catch (...) {  // torch refuses to tell when its old and new settings were mixed
    return "torch's settings contradict each other";
  }
}

}  // namespace wb
