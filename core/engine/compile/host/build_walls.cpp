// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/build_walls.h"

#include "core/base/files/paths.h"
#include "core/base/sandbox/user_places.h"
#include "core/model/json/sandbox_text.h"

namespace wb {
namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

Sandbox buildSandbox(const std::string& folder) {
  Sandbox sandbox;
  sandbox.readable = systemFiles();
  const auto searched = searchedFolders();
  sandbox.readable.insert(sandbox.readable.end(), searched.begin(), searched.end());
  sandbox.writable = {folder};
  sandbox.mayStartProcesses = true;
  sandbox.limits.memoryBytes = 16 * gibibyte;
  sandbox.limits.fileBytes = 4 * gibibyte;
  sandbox.limits.threads = 1024;
  return sandbox;
}

}  // namespace

void raiseBuildWalls(Command& command, const TorchInstallation& torch, const std::filesystem::path& headers,
                     const KernelSource& source) {
  Sandbox sandbox = buildSandbox(command.folder.string());
  // CUDA's packages stand beside torch.
  for (const auto& folder : {torch.root, torch.root.parent_path() / "nvidia"})
    sandbox.readable.push_back(folder.string());
  for (const auto& folder : torch.includes) sandbox.readable.push_back(folder.string());
  sandbox.readable.push_back(headers.string());
  if (const std::string place = sourcePlace(source.path); !place.empty()) sandbox.readable.push_back(place);
  for (const char* name : {"HOME", "TMPDIR"}) command.environment.emplace_back(name, command.folder.string());
  command.keeper = programFolder() / "warpbench-worker";
  command.walls = sandboxText(sandbox);
}

}  // namespace wb
