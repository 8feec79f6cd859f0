// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/targets/run_target.h"

namespace wb {

/// The file of the user's targets, which is TOML: a table for each, with `where` (the target's text) and
/// perhaps `python` and `cache`.
[[nodiscard]] std::filesystem::path targetFile();

/// The targets of a file by name; none where there is no file. Errors have the line.
Result<std::vector<RunTarget>> readTargets(const std::filesystem::path& file);

/// The text of such a file.
[[nodiscard]] std::string targetsText(const std::vector<RunTarget>& targets);

/// Changes the file's targets, one program after the other; what the user has written beside them stays, such
/// as comments. Errors: the file cannot be read, `change` gives one; then nothing is written.
using TargetChange = std::function<Result<void>(std::vector<RunTarget>&)>;
Result<void> changeTargets(const std::filesystem::path& file, const TargetChange& change);

/// The target that a word means: one of those that are known by its name, or else what its text says.
Result<RunTarget> findTarget(std::string_view word, const std::vector<RunTarget>& known);

}  // namespace wb
