// SPDX-License-Identifier: Apache-2.0
#include "core/runner/process/worker_walls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/process/process_start.h"
#include "core/base/sandbox/user_places.h"
#include "core/model/json/sandbox_text.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
constexpr std::int64_t largestFile = 16 * gibibyte, largestScratch = 32 * gibibyte;
constexpr int mostOpenFiles = 1 << 16, fewestThreads = 4096, threadsPerProcessor = 64;

/// The folders from which an interpreter imports: its environment, the installation that this was made of,
/// and the user's own packages.
void addPython(std::vector<std::string>& readable, const fs::path& python) {
  std::error_code failed;
  for (const fs::path& place : {python, fs::canonical(python, failed)}) {
    const fs::path prefix = place.parent_path().parent_path();
    if (!prefix.empty() && !holdsMore(prefix)) readable.push_back(prefix.string());
  }
  if (const std::string home = startVariable("HOME"); !home.empty()) readable.push_back(home + "/.local/lib");
}

std::int64_t machineMemory() {
  return std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

/// The parts of a cache that are made of nothing that a kernel says.
constexpr const char* readyParts[] = {"catalogue", "ceilings", "counters", "pch", "suites"};

/// Makes the files by which the processes of a user agree who measures on a GPU, since inside walls they can
/// only be read. The driver tells of each GPU in a folder.
void makeLocks() {
  std::error_code failed;
  // The folder around it has the user's sockets, too, which nobody else may reach.
  if (fs::create_directories(lockFolder(), failed))
    fs::permissions(lockFolder().parent_path(), fs::perms::owner_all, failed);
  for (const auto& gpu : fs::directory_iterator("/proc/driver/nvidia/gpus", failed)) {
    std::ifstream file(gpu.path() / "information");
    for (std::string line; std::getline(file, line);) {
      const std::size_t at = line.find("GPU-");
      if (!line.starts_with("GPU UUID:") || at == std::string::npos) continue;
      for (const char* each : {".measuring", ".turn", ".wanted"}) {
        const fs::path lock = lockFolder() / (line.substr(at) + each);
        if (const int made = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600); made >= 0)
          ::close(made);
      }
    }
  }
}

void makeCache(const fs::path& cache) {
  std::error_code failed;
  fs::create_directories(cache, failed);
  for (const char* part : readyParts) {
    fs::create_directory(cache / part, failed);
    for (const auto& entry : fs::directory_iterator(cacheFolder() / part, failed))
      fs::create_symlink(entry.path(), cache / part / entry.path().filename(), failed);
  }
}

}  // namespace

std::vector<std::string> sourcePlaces(const Job& job) {
  std::vector<std::string> places;
  const auto add = [&](const std::string& path) {
    if (std::string place = sourcePlace(path); !place.empty()) places.push_back(std::move(place));
  };
  for (const KernelSource& kernel : job.kernels) {
    add(kernel.path);
    if (!kernel.referencePath.empty()) add(kernel.referencePath);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Sandbox workerSandbox(const WorkerWalls& wanted, const std::string& folder) {
  Sandbox sandbox;
  std::vector<std::string>& readable = sandbox.readable = systemFiles();
  readable.insert(readable.end(), {wanted.worker.parent_path().string(), resourceFolder().string()});
  readable.push_back((dataFolder() / "venv-torch-2.11.0").string());
  for (const char* part : readyParts) readable.push_back((cacheFolder() / part).string());
  const std::vector<std::string> searched = searchedFolders();
  readable.insert(readable.end(), searched.begin(), searched.end());
  if (!wanted.python.empty()) addPython(readable, wanted.python);
  readable.insert(readable.end(), wanted.readable.begin(), wanted.readable.end());
  sandbox.writable = {folder + "/cache"};
  sandbox.scratch = folder + "/home";
  if (wanted.device != "cpu") {
    sandbox.devices = gpuFiles();
    readable.push_back(lockFolder().string());
  }
  sandbox.mayStartProcesses = true;
  sandbox.limits.memoryBytes = machineMemory() / 10 * 9;
  sandbox.limits.fileBytes = largestFile;
  sandbox.limits.scratchBytes = largestScratch;
  sandbox.limits.openFiles = mostOpenFiles;
  sandbox.limits.threads =
      std::max(fewestThreads, threadsPerProcessor * static_cast<int>(std::thread::hardware_concurrency()));
  return sandbox;
}

void raiseAround(Command& command, const WorkerWalls& wanted, const RunFolder& folder) {
  makeCache(folder.path() + "/cache");
  const Sandbox sandbox = workerSandbox(wanted, folder.path());
  const auto words = wallWords(sandbox, sandboxSupport());
  const auto set = [&](const char* name, const std::string& value) {
    command.environment.emplace_back(name, value);
  };
  if (wanted.device != "cpu") {
    makeLocks();
    set("WARPBENCH_LOCKS", lockFolder().string());
  }
  set("WARPBENCH_CACHE", folder.path() + "/cache");
  set("WARPBENCH_DATA", dataFolder().string());
  set("WARPBENCH_CONFIG", configFolder().string());
  set("WARPBENCH_RESOURCES", resourceFolder().string());
  set(wallsVariable, fmt::format("{}", fmt::join(words, "\n")));
  // The home inside is another one.
  if (const std::string home = startVariable("HOME");
      !home.empty() && startVariable("PYTHONUSERBASE").empty())
    set("PYTHONUSERBASE", home + "/.local");
  command.keeper = wanted.worker;
  command.walls = sandboxText(sandbox);
}

fs::path runFolders() {
  return cacheFolder() / "walls";
}

Result<void> checkSandbox() {
  const std::vector<std::string> missing = missingWalls(Sandbox{}, sandboxSupport());
  if (missing.empty()) return {};
  return Error{Stage::setup, fmt::format("no walls can be raised here: {}", fmt::join(missing, "; ")),
               "run without --sandbox, or on a machine that has it; `warpbench doctor` says what is there"};
}

Result<void> checkStrict() {
  Sandbox guests;
  guests.needsNamespaces = true;
  const std::vector<std::string> missing = missingWalls(guests, sandboxSupport());
  if (missing.empty()) return {};
  return Error{
      Stage::setup,
      fmt::format("no walls can be raised here that a strict judge needs: {}", fmt::join(missing, "; ")),
      "run without --strict, or on a machine that has them; `warpbench doctor` says what is there"};
}

}  // namespace wb
