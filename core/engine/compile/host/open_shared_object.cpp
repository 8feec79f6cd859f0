// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/open_shared_object.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace wb {
namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return out;
}

Error loadError(const std::string& said) {
  constexpr std::string_view mark = "undefined symbol: ";
  const auto at = said.find(mark);
  if (at == std::string::npos) return Error{Stage::compile, "the built kernel cannot be loaded: " + said};
  const std::string rest = said.substr(at + mark.size());
  return Error{
      Stage::compile, "undefined symbol: " + demangled(rest.substr(0, rest.find_first_of(" \t,("))),
      "it is declared but not defined in this source; kernels are linked with torch's libraries only"};
}

}  // namespace

Result<void*> openSharedObject(const std::filesystem::path& object) {
  if (void* const library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* const said = dlerror();
  return loadError(said != nullptr ? said : "dlopen failed");
}

}  // namespace wb
