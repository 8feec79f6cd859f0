// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/process/process.h"
#include "core/model/job.h"

namespace wb {

/// The tools of NVIDIA's compute-sanitizer that Job::sanitizer may name.
inline constexpr std::array<std::string_view, 4> sanitizerTools = {"memcheck", "racecheck", "initcheck",
                                                                   "synccheck"};

/// Finds the program in $CUDA_HOME, $CUDA_PATH, PATH, or the toolkit in /usr/local/cuda. Error: it is not
/// installed.
Result<std::filesystem::path> findSanitizer();

/// Whether this job can run under its sanitizer on this device. Errors: there is no such tool, the device is
/// not a GPU. Whether the program is installed is the machine's that has the device.
Result<void> checkSanitizer(const std::string& tool, const std::string& device);

/// The command under the sanitizer, which writes its messages to `log` and leaves standard input and output
/// to the program. Memory is given out exactly as it was asked for, so that each end is watched.
[[nodiscard]] Command underSanitizer(Command command, const std::filesystem::path& sanitizer,
                                     const std::string& tool, const std::filesystem::path& log);

/// An empty file of its own for a worker's messages; an empty path where there can be none.
[[nodiscard]] std::filesystem::path newSanitizerLog();
/// The same in a folder, which is made where it is missing.
[[nodiscard]] std::filesystem::path newSanitizerLog(const std::filesystem::path& folder);

}  // namespace wb
