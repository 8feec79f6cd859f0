// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/engine/compile/compiler.h"

namespace wb {

/// "sm_90": the device's, or a standard one where there is none.
[[nodiscard]] std::string architectureFor(const CompileRequest& request);

/// The job is on a GPU, and there is one.
[[nodiscard]] bool canRunOnDevice(const CompileRequest& request);
/// "Compiled for sm_90; not run: this run is on the CPU."
[[nodiscard]] std::string whyNotRun(const CompileRequest& request);

/// 1 of "cuda:1"; 0 of "cuda".
[[nodiscard]] int deviceIndex(const std::string& device);

/// CUDA's folders, where they have what cuda_runtime.h includes: the wheel beside torch lacks `crt`.
[[nodiscard]] std::vector<std::filesystem::path> runtimeIncludes();

}  // namespace wb
