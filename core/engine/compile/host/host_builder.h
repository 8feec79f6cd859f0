// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/paths.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/compile/host/build_cache.h"
#include "core/engine/compile/host/toolchain.h"

namespace wb {

struct HostBuildOptions {
  /// A path or a name; "" means $WARPBENCH_CXX, else clang++ from 14 on, else g++.
  std::string compiler;
  /// The folder of precompiled headers and built kernels.
  std::filesystem::path cache = cacheFolder();
  /// The stand-in header that is included ahead of every unit.
  std::string header{standardHeader};
  /// Include folders besides torch's own.
  std::vector<std::filesystem::path> includes;
  /// Options of code generation ("-march=native"), also for the precompiled header.
  std::vector<std::string> options;
};

/// A C++ text from which a shared object is built. It names itself by #line.
struct HostUnit {
  std::string text;
  /// The name and text of each file that it includes from its own folder.
  std::vector<std::pair<std::string, std::string>> files;
  /// Options of this unit alone; the precompiled header must fit them.
  std::vector<std::string> options;
  /// The paths by which the files name themselves, and names that are the same wherever these lie.
  std::vector<KnownFolder> paths{};
};

struct HostBuilt {
  /// The entry; it has no object when the build failed.
  BuildCache::Entry entry;
  bool ok = false, cached = false;
  /// How the compiler ended, when the build failed.
  std::string ending;
};

/// Builds C++ against the loaded LibTorch with the system's compiler, a precompiled header and the build
/// cache.
class HostBuilder {
 public:
  explicit HostBuilder(HostBuildOptions options) : options_(std::move(options)) {}

  /// Finds the tools, once per process. Errors: no compiler, no headers of torch, no folder for the cache.
  Result<void> findTools(const std::function<void(const Log&)>& onLog);
  /// Makes the precompiled header.
  Result<void> prepare(const std::function<void(const Log&)>& onLog);
  /// The unit as it was compiled before, here or by another machine, where nothing has changed. Needs
  /// findTools().
  [[nodiscard]] std::optional<HostBuilt> find(const HostUnit& unit, const CompileRequest& request) const;
  /// Compiles the unit, or finds it compiled. When the compiler refuses it, that is a result that is not ok;
  /// errors are: cancelled, too slow, nowhere to write. Needs findTools().
  Result<HostBuilt> build(const HostUnit& unit, const CompileRequest& request);

  // Needs findTools().
  [[nodiscard]] const HostCompiler& compiler() const { return tools_->compiler; }
  [[nodiscard]] const TorchInstallation& torch() const { return tools_->torch; }
  [[nodiscard]] const std::filesystem::path& cacheFolder() const { return tools_->place.folder; }
  [[nodiscard]] BuildCache cache() const {
    return BuildCache(tools_->place.folder / "build", cacheLimitBytes(),
                      {tools_->compiler.library.c, tools_->compiler.library.cpp});
  }
  /// What options are in the key of something that is built of this source.
  [[nodiscard]] std::string placelessOptions(const std::vector<std::string>& options,
                                             const KernelSource& source) const;

 private:
  struct Tools {
    HostCompiler compiler;
    TorchInstallation torch;
    CachePlace place;
  };
  struct Attempt;
  [[nodiscard]] std::string key(const HostUnit& unit, const KernelSource& source) const;
  [[nodiscard]] std::vector<std::string> unitOptions(const HostUnit& unit, const KernelSource& source) const;
  Result<void> moveToTemporaryFolder(const std::string& why, const CompileRequest& request);
  Result<Attempt> attempt(const HostUnit& unit, const CompileRequest& request);
  Result<Attempt> attemptTwice(const HostUnit& unit, const CompileRequest& request);

  HostBuildOptions options_;
  std::optional<Tools> tools_;
};

/// The entry of a key, from the cache or from another machine.
[[nodiscard]] std::optional<BuildCache::Entry> findBuilt(const BuildCache& cache, const std::string& key,
                                                         const CompileRequest& request);
/// Stores what was built, and tells those who want it for another machine.
Result<BuildCache::Entry> storeBuilt(const BuildCache& cache, const std::string& key,
                                     const std::filesystem::path& object, const std::string& output,
                                     const std::vector<std::string>& included, const CompileRequest& request);

/// The error that sums up a failed build: "2 errors in relu.cpp" at the first error's place, or what the
/// compiler (`version`) printed when that holds no error.
[[nodiscard]] Error buildFailure(const HostBuilt& built, const std::string& version,
                                 const KernelSource& source, int errors, const Place& first);

/// The absolute paths that a make rule names: "kernel.so: kernel.cpp /a/b.h \\".
[[nodiscard]] std::vector<std::string> filesInRule(std::string_view rule);

/// The file name of a kernel's path: "relu.cu".
[[nodiscard]] std::string fileName(const KernelSource& source);

}  // namespace wb
