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
  std::string compiler;  ///< path or name; "": $WARPBENCH_CXX, else clang++ from 14 on, else g++
  std::filesystem::path cache = cacheFolder();  ///< precompiled headers and built kernels
  std::string header{standardHeader};           ///< the stand-in header ahead of every unit
  std::vector<std::filesystem::path> includes;  ///< folders besides torch's own
  std::vector<std::string> options;  ///< of code generation ("-march=native"); the precompiled header's too
};

/// A C++ text to make a shared object of. It names itself by #line.
struct HostUnit {
  std::string text;
  std::vector<std::pair<std::string, std::string>>
      files;                         ///< name and text of what it includes from beside itself
  std::vector<std::string> options;  ///< of this unit alone; none that a precompiled header minds
};

struct HostBuilt {
  BuildCache::Entry entry;  ///< no object when it failed
  bool ok = false, cached = false;
  std::string ending;  ///< how the compiler ended, when it failed
};

/// Builds C++ against the loaded LibTorch with the system's compiler, a precompiled header and the build
/// cache.
class HostBuilder {
 public:
  explicit HostBuilder(HostBuildOptions options) : options_(std::move(options)) {}

  /// Once per process. Errors: no compiler, no headers of torch, no folder for the cache.
  Result<void> findTools(const std::function<void(const Log&)>& onLog);
  /// The precompiled header.
  Result<void> prepare(const std::function<void(const Log&)>& onLog);
  /// The unit as it was compiled before, where nothing has changed. Needs findTools().
  [[nodiscard]] std::optional<HostBuilt> find(const HostUnit& unit, const KernelSource& source) const;
  /// Compiles, or finds it compiled. What the compiler refuses is a result that is not ok; errors are
  /// cancelled, too slow, nowhere to write. Needs findTools().
  Result<HostBuilt> build(const HostUnit& unit, const CompileRequest& request);

  // After findTools():
  [[nodiscard]] const HostCompiler& compiler() const { return tools_->compiler; }
  [[nodiscard]] const TorchInstallation& torch() const { return tools_->torch; }
  [[nodiscard]] const std::filesystem::path& cacheFolder() const { return tools_->place.folder; }
  [[nodiscard]] BuildCache cache() const { return BuildCache(tools_->place.folder / "build"); }

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

/// The error that sums up a build that failed: "2 errors in relu.cpp" at the first one's place; what the
/// compiler
/// (`version`) printed when that holds no error.
[[nodiscard]] Error buildFailure(const HostBuilt& built, const std::string& version,
                                 const KernelSource& source, int errors, const Place& first);

/// Files named in a make rule: "kernel.so: kernel.cpp /a/b.h \\". Absolute ones only.
[[nodiscard]] std::vector<std::string> filesInRule(std::string_view rule);

/// "relu.cu" of a kernel's path.
[[nodiscard]] std::string fileName(const KernelSource& source);

}  // namespace wb
