// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/loading/kernel_answers.h"

#include <utility>

namespace wb {

Result<NamedKernels> KernelAnswers::of(const std::vector<std::string>& names, double seconds) {
  if (names_ && *names_ == names && !refused_) return kernels_;
  refused_ = true;
  if (names_ || !compile_)
    return Error{Stage::compile, "the extension names other kernels than when it was loaded first"};
  names_ = names;
  WB_TRY(kernels_, compile_(names, seconds));
  refused_ = false;
  return kernels_;
}

}  // namespace wb
