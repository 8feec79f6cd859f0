// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/compilers.h"

#include "core/engine/compile/aten_compiler.h"
#include "core/engine/compile/host/torch_cpp_compiler.h"
#include "core/engine/compile/raw_cuda/raw_cuda_compiler.h"
#include "core/engine/compile/torch_cuda/torch_cuda_compiler.h"
#include "core/engine/python/python_compiler.h"

namespace wb {

std::vector<std::unique_ptr<Compiler>> compilers() {
  std::vector<std::unique_ptr<Compiler>> all;
  all.push_back(torchCppCompiler());
  all.push_back(rawCudaCompiler());
  all.push_back(torchCudaCompiler());
  all.push_back(pythonCompiler("python"));
  all.push_back(pythonCompiler("triton"));
  all.push_back(atenCompiler());
  return all;
}

}  // namespace wb
