// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_walls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/sandbox/user_places.h"
#include "core/engine/compile/host/build_cache.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/model/json/sandbox_text.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
constexpr int mostThreads = 4096, mostFiles = 4096;

/// What one kernel may take of this machine's memory.
constexpr double memoryShare = 0.75;

std::int64_t machineMemory() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

Result<Sandbox> guestWalls(const std::vector<std::string>& command, const std::string& device,
                           bool mayStartProcesses) {
  WB_TRY(const TorchInstallation torch, findTorch());
  WB_TRY(const CachePlace cache, usableCacheFolder(cacheFolder()));
  Sandbox walls;
  walls.readable = systemFiles();
  const auto read = [&](const fs::path& path) {
    if (!path.empty()) walls.readable.push_back(path.string());
  };
  read(torch.root.parent_path());  // what torch was installed with lies beside it
  read(programFolder());
  read(resourceFolder());
  // What is not there yet could not be read later either: walls know files and not names.
  const fs::path builds = cache.folder / "build";
  std::error_code ignored;
  fs::create_directories(builds, ignored);
  // What is built of a kernel lies under a name that follows from its text. Nobody lists those of others.
  walls.openable.push_back(builds.string());
  // The judge plans what is counted.
  const fs::path plans = cache.folder / "counters";
  fs::create_directories(plans, ignored);
  read(plans);
  // An interpreter of an environment is a link that leads out of it, and reads on both sides of the link.
  for (const fs::path& program : {fs::path(command.front()), fs::canonical(command.front(), ignored)})
    read(program.parent_path().parent_path());
  for (const std::string& folder : searchedFolders()) read(folder);
  // A script is read, and what lies beside it is imported.
  for (const std::string& word : command)
    if (word.ends_with(".py") && word.starts_with('/')) read(fs::path(word).parent_path());
  const fs::path scratch = cache.folder / "guests";
  fs::create_directories(scratch, ignored);
  walls.scratch = scratch.string();
  walls.descriptors = {guestSocket};
  if (device != "cpu") walls.devices = gpuFiles();
  walls.mayStartProcesses = mayStartProcesses;
  walls.needsNamespaces = true;
  walls.limits.memoryBytes = static_cast<std::int64_t>(memoryShare * static_cast<double>(machineMemory()));
  walls.limits.fileBytes = 4 * gibibyte;
  walls.limits.scratchBytes = 4 * gibibyte;
  walls.limits.openFiles = mostFiles;
  walls.limits.threads = mostThreads;
  return walls;
}

Result<std::string> raisableWalls(const Sandbox& walls) {
  const std::vector<std::string> missing = missingWalls(walls, sandboxSupport());
  if (missing.empty()) return sandboxText(walls);
  return Error{Stage::setup,
               fmt::format("--strict needs walls around the kernel's process, which this machine cannot "
                           "raise: {}",
                           fmt::join(missing, " ")),
               "see `warpbench doctor`"};
}

Error withWalls(Error error) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> all{{
      {"No module named",
       "with --strict a kernel's process does not see the folder of its source: name it in PYTHONPATH, which "
       "may be read, or put the module into the kernel's file"},
      {"No such file or directory",
       "with --strict a source is read as a copy and does not see what lies beside it: give the "
       "file's whole path, and name its folder in PYTHONPATH, which may be read"},
      {"Operation not permitted",
       "with --strict a kernel's process starts no programs; a module that names torch.compile or "
       "torch.utils.cpp_extension may start compilers"},
      {"Permission denied",
       "with --strict a kernel's process reads the system, Python and what PYTHONPATH names, and writes to a "
       "folder of its own"},
  }};
  if (!error.hint.empty()) return error;
  for (const auto& [words, hint] : all)
    if (error.text.find(words) != std::string::npos) {
      error.hint = hint;
      break;
    }
  return error;
}

}  // namespace wb
