// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/extension.h"

#include <dlfcn.h>

#include "core/engine/reference/exception_text.h"

namespace wb {
namespace {

using Count = std::size_t (*)();
using Name = const char* (*)(std::size_t);
using Load = const char* (*)(const void*, const char* const*);

template <class Function>
Function find(void* library, const char* symbol) {
  return reinterpret_cast<Function>(dlsym(library, symbol));
}

}  // namespace

Result<Extension> Extension::load(const std::filesystem::path& object, bool complete,
                                  const std::filesystem::path& torchLibraries) {
  Extension extension;
  try {
    if (!complete) dlopen((torchLibraries / "libc10_cuda.so").c_str(), RTLD_LAZY | RTLD_GLOBAL);
    extension.library_ = dlopen(object.c_str(), (complete ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
    if (extension.library_ == nullptr) {
      const char* const said = dlerror();
      return Error{Stage::compile,
                   std::string("the built kernel cannot be loaded: ") + (said != nullptr ? said : "")};
    }
    const auto count = find<Count>(extension.library_, "wb_cuda_kernels");
    const auto name = find<Name>(extension.library_, "wb_cuda_kernel");
    if (count == nullptr || name == nullptr)
      return Error{Stage::compile, "the built kernel has no table of its kernels",
                   "the source may end inside a comment or an #if"};
    for (std::size_t i = 0; i < count(); ++i) extension.kernels_.emplace_back(name(i));
    return extension;
  } catch (...) {
    return Error{Stage::compile, "a static object of the kernel threw: " + exceptionText()};
  }
}

Result<void> Extension::giveKernels(const std::string& cubin,
                                    const std::vector<std::string>& loweredNames) const {
  const auto load = find<Load>(library_, "wb_cuda_load");
  std::vector<const char*> names;
  for (const auto& name : loweredNames) names.push_back(name.c_str());
  const std::string failed = load(cubin.data(), names.data());
  if (failed.empty()) return {};
  return Error{Stage::compile, "loading the kernels: " + failed};
}

}  // namespace wb
