// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/loading/load_built.h"

#include "core/engine/compile/host/shared_object_candidate.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/compile/torch_cuda/extension.h"
#include "core/engine/guest/loading/asked_judge.h"

namespace wb {

Result<std::unique_ptr<Candidate>> loadBuilt(const LoadOrder& order, const c10::FunctionSchema& schema) {
  std::unique_ptr<Candidate> candidate;
  if (order.runs) {
    WB_TRY(candidate, loadSharedObject(order.object, order.function, schema));
  }
  if (!order.namesKernels) return candidate;
  WB_TRY(const TorchInstallation torch, findTorch());
  WB_TRY(const Extension extension, Extension::load(order.object, order.runs, torch.root / "lib"));
  if (extension.kernels().empty()) return candidate;
  WB_TRY(const NamedKernels kernels, kernelsByJudge(extension.kernels()));
  if (order.runs) WB_DO(extension.giveKernels(kernels.cubin, kernels.loweredNames));
  return candidate;
}

}  // namespace wb
