// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/nvcc_artifacts.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {
namespace {

/// The name of a function: "void relu<float>(float const*)" → "relu<float>".
std::string functionName(const std::string& lowered) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(lowered.c_str(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? plain.get() : lowered;
  if (name.starts_with("void ")) name.erase(0, 5);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
    name.erase(at, unnamed.size());
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0) return name.substr(0, i);
  }
  return name;
}

}  // namespace

std::vector<Artifact> nvccArtifacts(std::string_view output, const std::string& architecture) {
  std::vector<Artifact> artifacts;
  for (const auto& figures : ptxasFigures(output)) {
    Artifact artifact;
    artifact.name = functionName(figures.loweredName);
    artifact.architecture = architecture;
    artifact.registers = figures.registers;
    artifact.spillLoads = figures.spillLoads;
    artifact.spillStores = figures.spillStores;
    artifact.sharedBytes = figures.sharedBytes;
    artifacts.push_back(std::move(artifact));
  }
  return artifacts;
}

}  // namespace wb
