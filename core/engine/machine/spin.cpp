// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/spin.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <array>
#include <chrono>
#include <optional>

#include "core/engine/device/current_stream.h"
#include "core/engine/machine/ceiling_kernels.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

constexpr const char* spinSchema = "spin(Tensor self, int cycles) -> Tensor";

/// The kernels stay once they are compiled, since the operator may be called as long as the process lives.
std::optional<CeilingKernels>& kernels() {
  static std::optional<CeilingKernels> ours;
  return ours;
}

at::Tensor spinOnHost(const at::Tensor& self, std::int64_t cycles) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(cycles);
  while (std::chrono::steady_clock::now() < end) {
  }
  return self.clone();
}

at::Tensor spinOnDevice(const at::Tensor& self, std::int64_t cycles) {
  at::Tensor out = at::empty_like(self);
  const auto done = kernels()->spin(self.data_ptr(), out.data_ptr(), cycles, self.numel(),
                                    currentStream(self.device().index()));
  TORCH_CHECK(done.has_value(), done.error().text);
  return out;
}

}  // namespace

Result<OperatorEntry> defineSpin(const std::string& architecture) {
  try {
    if (!architecture.empty() && !kernels()) {
      WB_TRY(auto compiled, CeilingKernels::compile(architecture, 0));
      kernels().emplace(std::move(compiled));
    }
    static torch::Library library(torch::Library::DEF, "warpbench", std::nullopt, __FILE__, __LINE__);
    static const bool defined = [] {
      library.def(spinSchema);
      library.impl("spin", torch::dispatch(c10::DispatchKey::CPU, TORCH_FN(spinOnHost)));
      library.impl("spin", torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(spinOnDevice)));
      return true;
    }();
    (void)defined;
  } catch (...) {
    return Error{Stage::job, exceptionText()};
  }
  for (const OperatorEntry& entry : operators())
    if (entry.name == spinOperator) return entry;
  return Error{Stage::job, "torch did not take the operator that waits"};
}

}  // namespace wb
