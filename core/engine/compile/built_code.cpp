// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/built_code.h"

#include <cstdint>
#include <system_error>
#include <utility>

namespace wb {

void addHostObject(BuiltCode& code, const std::string& name, const std::filesystem::path& object) {
  Artifact artifact;
  artifact.name = name;
  artifact.architecture = "x86-64";
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(object, failed);
  artifact.binaryBytes = failed ? 0 : static_cast<std::int64_t>(bytes);
  code.artifacts.push_back(std::move(artifact));
  code.objects.push_back(object);
}

void add(BuiltCode& code, const BuiltCode& more) {
  if (!more.toolchain.empty() && code.toolchain.find(more.toolchain) == std::string::npos)
    code.toolchain += (code.toolchain.empty() ? "" : ", ") + more.toolchain;
  code.artifacts.insert(code.artifacts.end(), more.artifacts.begin(), more.artifacts.end());
  code.cubins.insert(code.cubins.end(), more.cubins.begin(), more.cubins.end());
  code.objects.insert(code.objects.end(), more.objects.begin(), more.objects.end());
}

}  // namespace wb
