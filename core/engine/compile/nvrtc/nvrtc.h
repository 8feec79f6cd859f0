// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/placeless.h"

namespace wb {

/// A request to NVRTC.
struct NvrtcRequest {
  std::string source;
  /// The file's name in diagnostics and line information.
  std::string fileName;
  /// The text that is included ahead of the first line.
  std::string prelude;
  /// The kernel, "relu<scalar_t>"; "" when no name is asked for.
  std::string nameExpression;
  /// All options, the architecture included.
  std::vector<std::string> options;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::stop_token stop = {};
  /// More kernels of the same binary.
  std::vector<std::string> moreNames = {};
  /// The name and text of the headers that #include finds ahead of all folders; when empty, raw CUDA's
  /// stand-ins.
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// The folders in the options, by what is in them; CUDA's are known anyhow.
  std::vector<KnownFolder> folders = {};
  /// The source's files as messages name them, and by names that are the same wherever they lie.
  std::vector<KnownFolder> files = {};
};

struct NvrtcResult {
  bool ok = false;
  /// The compiler's messages and, because of --ptxas-options=-v, ptxas's figures.
  std::string log;
  std::string cubin, ptx;
  /// The kernel's name in the cubin.
  std::string loweredName;
  /// The names of NvrtcRequest::moreNames in the cubin.
  std::vector<std::string> moreLoweredNames = {};
};

/// The name "NVRTC 13.0". Error: it could not be opened; the message says where it was looked for.
Result<std::string> nvrtcName();

/// The folders with CUDA's headers: those beside the torch wheel, then the toolkit's for what the wheel lacks
/// (libcu++).
[[nodiscard]] std::vector<std::string> cudaIncludeFolders();

/// Compiles. Errors in the source are a result that is not `ok`; errors are a missing NVRTC, the deadline, a
/// stop. Thread-safe.
Result<NvrtcResult> compileWithNvrtc(const NvrtcRequest& request);

/// What ptxas says of one kernel in the log.
struct PtxasFigures {
  std::string loweredName;
  /// The registers per thread.
  int registers = 0;
  /// The bytes per thread.
  int spillStores = 0, spillLoads = 0;
  /// Static shared memory per block.
  std::int64_t sharedBytes = 0;
};
[[nodiscard]] std::vector<PtxasFigures> ptxasFigures(std::string_view log);

/// The log without ptxas's figures: messages for people.
[[nodiscard]] std::string compilerMessages(std::string_view log);

}  // namespace wb
