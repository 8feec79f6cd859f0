// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// What the host's part has in place of the body of a `__global__` function.
struct KernelStub {
  /// The statements, on one line.
  std::string body;
  /// The kernel with its namespaces, "ns::relu"; of an explicit specialisation "ns::relu<float>".
  std::string kernel;
  struct Name {
    /// The place in the source.
    std::size_t offset = 0;
    /// The text, " warpbench_unnamed0".
    std::string text;
  };
  /// Names for the parameters that have none.
  std::vector<Name> names;
};

/// The statements that register the instantiation by name and launch it. The name is put together when the
/// shared object is loaded, from the template's arguments as the host's compiler spells them, in a form that
/// NVRTC takes as a name expression ("ns::relu<float, 4>"). `scope` is "ns::". Errors, whose text says what:
/// a template template parameter, a parameter that is a pointer to a function or array.
Result<KernelStub> kernelStub(Lexemes lexemes, const Item& function, const std::string& scope);

}  // namespace wb
