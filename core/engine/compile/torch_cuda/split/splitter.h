// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/compile/text/mapped_text.h"

namespace wb {

/// One file of a CUDA extension, taken apart: what the host's compiler and what NVRTC compiles.
struct SplitFile {
  std::string path;  ///< of the file itself; "" of the kernel's
  std::string name;  ///< under which the parts include it: "warpbench-1-utils.cuh"; "" of the kernel's
  MappedText host, device;
};

struct Split {
  std::vector<SplitFile> files;  ///< the kernel's file first, then what it includes from beside itself
  /// Why the file cannot be taken apart and nvcc must compile it whole; "" when it can.
  std::string unfit;
  bool hasKernels = false;
};

/// Text and path of a file included with quotation marks; nothing for one that is not there.
struct IncludedFile {
  std::string path, text;
};
using ReadIncluded =
    std::function<std::optional<IncludedFile>(const std::string& fromPath, const std::string& named)>;

/// Takes a CUDA extension apart by its tokens.
///
/// Host part: bodies of `__device__` functions are blanked, those of `__global__` functions replaced by a
/// launch (kernel_stub.h), `kernel<<<grid, block>>>(x)` becomes a configuration and a call. Device part: host
/// functions, torch's headers and what mentions tensors is blanked. Lines stay where they are, columns are
/// kept or mapped (MappedText::sourceOf).
[[nodiscard]] Split splitSource(std::string_view source, const std::string& path, const ReadIncluded& read);

/// The source with blanks for its `__global__` and `__device__` functions: where the operator's function is
/// looked for.
[[nodiscard]] std::string hostFunctions(std::string_view source);

/// Reads from beside the including file.
[[nodiscard]] std::optional<IncludedFile> readBeside(const std::string& fromPath, const std::string& named);

}  // namespace wb
