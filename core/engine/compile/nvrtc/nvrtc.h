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

namespace wb {

/// What NVRTC is asked to compile.
struct NvrtcRequest {
  std::string source;
  std::string fileName;              ///< as diagnostics and line information name it
  std::string prelude;               ///< included ahead of the first line
  std::string nameExpression;        ///< the kernel: "relu<scalar_t>"; "": nothing is asked for by name
  std::vector<std::string> options;  ///< all of them, architecture included
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::stop_token stop = {};
  std::vector<std::string> moreNames = {};  ///< more kernels of the same binary
  /// Name and text of the headers that #include finds ahead of all folders; empty: raw CUDA's stand-ins.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

struct NvrtcResult {
  bool ok = false;
  std::string log;  ///< the compiler's messages and, as asked by --ptxas-options=-v, ptxas's figures
  std::string cubin, ptx;
  std::string loweredName;                         ///< of the kernel in the cubin
  std::vector<std::string> moreLoweredNames = {};  ///< of NvrtcRequest::moreNames
};

/// "NVRTC 13.0". Error: it could not be opened; says where it was looked for.
Result<std::string> nvrtcName();

/// Folders with CUDA's headers: beside the torch wheel, then the toolkit's for what the wheel lacks
/// (libcu++).
[[nodiscard]] std::vector<std::string> cudaIncludeFolders();

/// Compiles. Source errors are a result that is not `ok`; errors are NVRTC missing, the deadline, a stop.
/// Thread-safe.
Result<NvrtcResult> compileWithNvrtc(const NvrtcRequest& request);

/// What ptxas says of one kernel in the log.
struct PtxasFigures {
  std::string loweredName;
  int registers = 0;                    ///< per thread
  int spillStores = 0, spillLoads = 0;  ///< bytes per thread
  std::int64_t sharedBytes = 0;         ///< static, per block
};
[[nodiscard]] std::vector<PtxasFigures> ptxasFigures(std::string_view log);

/// The log without ptxas's figures: messages for people.
[[nodiscard]] std::string compilerMessages(std::string_view log);

}  // namespace wb
