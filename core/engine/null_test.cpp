// SPDX-License-Identifier: Apache-2.0
#include "core/engine/null_test.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

constexpr int kRepeats = 12;
constexpr int kSets = 3;
constexpr double kCapSeconds = 0.1;

}  // namespace

Result<double> nullTest(Clock& clock, int device, std::int64_t elements, std::stop_token stop) {
  const auto op = findOperator("aten::relu");
  if (!op) return op.error();
  TimingPlan plan;
  plan.capSeconds = kCapSeconds;
  try {
    const at::Device where =
        device < 0 ? at::Device(at::kCPU) : at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device));
    // What differs between two runs is above all where their memory lies: it is elsewhere each time, so what
    // was used stays taken. As where cases are timed, both sides read the same memory.
    std::vector<std::vector<std::unique_ptr<PreparedCall>>> taken;
    double worst = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      std::vector<std::unique_ptr<PreparedCall>> reference, candidate;
      for (int set = 0; set < kSets; ++set) {
        const at::Tensor input =
            at::empty({elements}, at::TensorOptions().dtype(at::kFloat).device(where)).normal_();
        reference.push_back(prepareReference(*op, {input}));
        candidate.push_back(prepareReference(*op, {input}));
      }
      auto timing = timeCase(reference, candidate, clock, plan, static_cast<std::uint64_t>(repeat), stop);
      if (!timing) return std::move(timing).error();
      worst = std::max(worst, std::abs(timing->speedup.ratio - 1));
      taken.push_back(std::move(reference));
      taken.push_back(std::move(candidate));
    }
    return worst;
  } catch (...) {
    return Error{Stage::time, exceptionText(), {}, {}};
  }
}

}  // namespace wb
