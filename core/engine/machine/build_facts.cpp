// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/build_facts.h"

#include <fmt/format.h>

#include "core/base/files/hash.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {
namespace {

constexpr std::size_t shownDigits = 12;

/// The compiler with a hash of the headers that it finds, since other headers make another binary.
std::string cudaCompiler() {
  const auto name = nvrtcName();
  if (!name) return {};
  std::string headers;
  for (const auto& folder : cudaIncludeFolders()) headers += cudaHeadersIn(folder) + '\n';
  return fmt::format("{} with headers {}", *name, contentHash({headers}).substr(0, shownDigits));
}

}  // namespace

BuildFacts buildFactsHere(const Target& target) {
  BuildFacts facts;
  facts.host = target.host;
  if (target.architecture.starts_with("sm_")) facts.architecture = target.architecture;
  facts.cudaCompiler = cudaCompiler();
  const auto torch = findTorch();
  facts.torch = torch ? torch->identity : target.torch + " without its headers";
  const auto compiler = usualHostCompiler();
  if (!compiler) return facts;
  facts.compiler = compiler->identity;
  facts.machine = compiler->library.machine;
  facts.cLibrary = compiler->library.c;
  facts.cppLibrary = compiler->library.cpp;
  if (!compiler->library.cxx11Abi) facts.torch += ", with the ABI before C++11";
  return facts;
}

}  // namespace wb
