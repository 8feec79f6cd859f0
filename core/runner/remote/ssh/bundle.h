// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/targets/run_target.h"

namespace wb {

/// The programs and files that workers need on another machine.
struct Bundle {
  struct File {
    /// Its path in the bundle: "bin/warpbench-worker".
    std::string name;
    std::filesystem::path source;
  };
  std::vector<File> files;
  /// By it a bundle is known: two of the same content are one.
  std::string hash;
};

/// What a bundle is for: workers that are watched from here, or runs that go on there by themselves, for
/// which the command line is needed too.
enum class BundleUse : std::uint8_t { workers, batches };

/// This program's own. Error: a file is missing.
Result<Bundle> ownBundle(BundleUse use = BundleUse::workers);

/// The bundle packed for its way (tar, compressed by gzip), which is kept in the cache. Error: tar is
/// missing, or there is no space.
Result<std::filesystem::path> packed(const Bundle& bundle, const std::stop_token& stop = {});

// Scripts of /bin/sh for the other side, a line each, without the line's end. `arguments` are those of
// bin/warpbench-reach.

/// Starts the bundle's program, with the target's interpreter; says missingBundle where it is not there.
[[nodiscard]] std::string startScript(const RunTarget& target, const std::string& hash,
                                      const std::string& arguments);
/// Unpacks the bundle that comes on standard input, under a name with `unique` in it until it is whole, and
/// removes others that were not used for two weeks.
[[nodiscard]] std::string unpackScript(const RunTarget& target, const std::string& hash,
                                       const std::string& unique);
/// Runs bin/warpbench-worker of the bundle with `arguments`, with the target's interpreter.
[[nodiscard]] std::string workerScript(const RunTarget& target, const std::string& hash,
                                       const std::string& arguments);

/// Makes a virtual environment with torch in the cache folder there, by the target's interpreter or python3,
/// says on the way what it does, and prints "made " and the new interpreter's path last.
[[nodiscard]] std::string torchScript(const RunTarget& target);

inline constexpr int missingBundle = 90, cannotUnpack = 91, otherSystem = 92;

/// Why a bundle could not be unpacked or started there, by what was written there.
[[nodiscard]] Error unpackError(const std::string& host, int exitCode, const std::string& errors);

}  // namespace wb
