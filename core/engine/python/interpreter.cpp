// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/interpreter.h"

#include <dlfcn.h>

#include "core/base/files/paths.h"
#include "core/engine/compile/host/toolchain.h"

namespace wb {
namespace {

Error notOpened(const std::string& text) {
  return Error{Stage::setup, text, "build or install Warpbench again"};
}

std::string reason() {
  const char* said = dlerror();
  return said ? said : "not found";
}

}  // namespace

bool isInsidePython() {
  return dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr;
}

Result<std::unique_ptr<Interpreter>> openInterpreter() {
  if (!isInsidePython())
    return Error{Stage::setup, "this worker has no Python",
                 "Python kernels run in a worker that was started for them: give their language when it "
                 "cannot be told from the file"};
  // Python imported torch with symbols that only Python sees; the bridge must find them by name.
  WB_TRY(const TorchInstallation torch, findTorch());
  if (!dlopen((torch.root / "lib" / "libtorch_python.so").c_str(), RTLD_LAZY | RTLD_GLOBAL))
    return notOpened("libtorch_python.so could not be opened: " + reason());
  void* library = dlopen((programFolder() / "libwarpbench_python.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return notOpened("the Python bridge could not be opened: " + reason());
  auto* const make =
      reinterpret_cast<decltype(&warpbench_interpreter)>(dlsym(library, "warpbench_interpreter"));
  if (!make) return notOpened("the Python bridge could not be opened: " + reason());
  std::string failure;
  std::unique_ptr<Interpreter> interpreter(make(&failure));
  if (!interpreter) return notOpened(failure);
  return interpreter;
}

}  // namespace wb
