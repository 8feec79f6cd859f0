// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// What stands in the host's part for the body of a `__global__` function.
struct KernelStub {
  std::string body;  ///< statements on one line
  struct Name {
    std::size_t offset = 0;  ///< where in the source
    std::string text;        ///< " warpbench_unnamed0"
  };
  std::vector<Name> names;  ///< names for the parameters that have none
};

/// Statements that register the instantiation by name and launch it: the name is put together when the shared
/// object is loaded, from the template's arguments as the host's compiler spells them, in a form that NVRTC
/// takes as a name expression ("ns::relu<float, 4>"). `scope`: "ns::". Errors: a template template parameter,
/// a parameter that is a pointer to a function or array; the text says what.
Result<KernelStub> kernelStub(Lexemes lexemes, const Item& function, const std::string& scope);

}  // namespace wb
