// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/bound_module.h"

#include <dlfcn.h>

#include "core/engine/compile/host/open_shared_object.h"
#include "core/engine/compile/standin/warpbench_function.h"
#include "core/engine/reference/exception_text.h"

namespace wb {
namespace {

void take(void* receiver, const WarpbenchFunction* found) {
  ModuleFunction function;
  function.name = found->name;
  function.doc = found->doc;
  for (std::size_t i = 0; i < found->parameters; ++i) {
    ModuleFunction::Parameter parameter;
    parameter.name = found->names[i];
    parameter.code = found->codes[i];
    if (found->defaults[i] != nullptr) parameter.standard = *found->defaults[i];
    function.parameters.push_back(std::move(parameter));
  }
  function.call = [call = found->call, self = found->self](std::vector<c10::IValue>& stack) {
    call(self, &stack);
  };
  static_cast<std::vector<ModuleFunction>*>(receiver)->push_back(std::move(function));
}

}  // namespace

Result<std::vector<ModuleFunction>> loadBoundModule(const std::filesystem::path& object) {
  try {
    WB_TRY(const auto library, openSharedObject(object));
    const auto list = reinterpret_cast<WarpbenchListFunctions>(dlsym(library, "wb_module_functions"));
    if (list == nullptr)
      return Error{Stage::compile, "the built module has no table of its functions",
                   "the source may end inside a comment or an #if"};
    std::vector<ModuleFunction> functions;
    list(&functions, take);
    return functions;
  } catch (...) {
    return Error{Stage::compile, "loading the module: " + exceptionText()};
  }
}

}  // namespace wb
