// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// The bounds of everything that runs inside walls. 0 means that there is no bound.
struct SandboxLimits {
  /// The resident memory of all processes together. It is watched and not an address-space limit, since CUDA
  /// reserves far more addresses than it uses.
  std::int64_t memoryBytes = 0;
  /// The size of any one file that is written.
  std::int64_t fileBytes = 0;
  /// What all files of the scratch folder take together.
  std::int64_t scratchBytes = 0;
  int openFiles = 0;
  /// How many threads and processes there may be together.
  int threads = 0;
  /// Processor time of one process.
  double cpuSeconds = 0;
  /// Time by the clock on the wall.
  double wallSeconds = 0;
  bool operator==(const SandboxLimits&) const = default;
};

/// Walls around a process and all that it starts: what it may touch. Whatever is not named here is refused:
/// other files, the network, other processes, device files, mounts, the kernel's rarer calls.
struct Sandbox {
  /// Files, and folders with all that is below them, which may be read and run. What does not exist is left
  /// out. `systemFiles()` is what any program needs.
  std::vector<std::string> readable;
  /// Folders of which the same holds for files whose names are known: they are not listed, nor is what is
  /// below them.
  std::vector<std::string> openable;
  /// Folders with all that is below them, and files, which may be read and written. Folders must exist.
  std::vector<std::string> writable;
  /// Device files that may be opened and controlled; `gpuFiles()` are NVIDIA's.
  std::vector<std::string> devices;
  /// A folder in which the launcher makes an empty scratch folder, which is writable, is the home and the
  /// temporary folder of the program, and goes with it. There is none when this is empty.
  std::string scratch;
  /// Whether the program may start others; threads it may always start.
  bool mayStartProcesses = false;
  /// The program may not start where its processes, network and mounts cannot be its own (namespaces), too.
  /// Without this they are its own where the machine allows it.
  bool needsNamespaces = false;
  /// The descriptors that the program keeps, besides 0, 1 and 2.
  std::vector<int> descriptors;
  SandboxLimits limits;
  bool operator==(const Sandbox&) const = default;
};

/// The first argument of the worker program that makes it a launcher of a program inside walls:
/// `warpbench-worker --in-sandbox SPEC -- program arguments…` with sandboxText()
/// (core/model/json/sandbox_text.h) as SPEC. The launcher has all duties of a keeper
/// (core/base/process/keeper.h), and ends as the program ended. Its own exit codes:
inline constexpr const char* sandboxArgument = "--in-sandbox";
/// the walls could not be raised, and the program was not started;
inline constexpr int noWallsExit = 126;
/// all was killed because a limit was reached, which the last line on standard error names.
inline constexpr int limitExit = 125;

/// The environment variable in which a program inside walls finds what stands around it: wallWords(), one a
/// line.
inline constexpr const char* wallsVariable = "WARPBENCH_WALLS";

/// Files and folders that any program reads: libraries, the linker's cache, time zones, /proc, /sys. None of
/// them holds anything of a user.
[[nodiscard]] std::vector<std::string> systemFiles();
/// The NVIDIA device files that there are.
[[nodiscard]] std::vector<std::string> gpuFiles();

/// A part of the walls that a machine may lack.
struct WallSupport {
  bool there = false;
  /// Why it is not there, and what to do, as one sentence; "" when it is.
  std::string missing{};
};

/// What the kernel of this machine can do for walls. It is found by trying.
struct SandboxSupport {
  /// The version of Landlock's interface, which guards files; 0 when there is none.
  int landlockVersion = 0;
  WallSupport landlock;
  /// The filter of system calls.
  WallSupport seccomp;
  /// A view of its own of processes, network, and mounts (namespaces).
  WallSupport namespaces;
};
[[nodiscard]] const SandboxSupport& sandboxSupport();

/// Why `sandbox` cannot be raised on a machine with `support`: a sentence for each missing part. Empty: it
/// can.
[[nodiscard]] std::vector<std::string> missingWalls(const Sandbox& sandbox, const SandboxSupport& support);

/// The walls that are in force, in words for a report: "files: Landlock 7", "memory: 8 GiB" …
[[nodiscard]] std::vector<std::string> wallWords(const Sandbox& sandbox, const SandboxSupport& support);

/// Raises the walls around this process for ever, as far as one process can: capabilities, limits, files,
/// system calls. The process must have one thread. Namespaces, the scratch folder and what has to be watched
/// (memory, time) need the launcher. Error: a wall could not be raised, and the process must not go on.
Result<void> enterSandbox(const Sandbox& sandbox);

}  // namespace wb
