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

/// One file of a CUDA extension, taken apart into what the host's compiler compiles and what NVRTC compiles.
struct SplitFile {
  /// The path of the file.
  std::string path;
  /// The name under which the parts include it, "warpbench-1-utils.cuh"; "" for the kernel's.
  std::string name;
  MappedText host, device;
};

struct Split {
  /// The kernel's file first, then the files that it includes from its own folder.
  std::vector<SplitFile> files;
  /// Why the file cannot be taken apart and nvcc must compile it whole; "" when it can.
  std::string unfit;
  bool hasKernels = false;
  /// The kernels with their namespaces, "ns::relu", as instances are named after them (isInstance()). What a
  /// file has under other conditions is there too.
  std::vector<std::string> kernels{};
};

/// The text and path of a file that is included with quotation marks; nothing for one that does not exist.
struct IncludedFile {
  std::string path, text;
};
using ReadIncluded =
    std::function<std::optional<IncludedFile>(const std::string& fromPath, const std::string& named)>;

/// Takes a CUDA extension apart by its tokens.
///
/// In the host part, bodies of `__device__` functions are blanked, those of `__global__` functions are
/// replaced by a launch (kernel_stub.h), and `kernel<<<grid, block>>>(x)` becomes a configuration and a call.
/// In the device part, host functions, torch's headers and everything that mentions tensors are blanked.
/// Lines stay where they are, columns are kept or mapped (MappedText::sourceOf).
[[nodiscard]] Split splitSource(std::string_view source, const std::string& path, const ReadIncluded& read);

/// The source with blanks for its `__global__` and `__device__` functions, in which the operator's function
/// is looked for.
[[nodiscard]] std::string hostFunctions(std::string_view source);

/// The name by which compilers know one of the files of `path`, the same wherever the kernel lies: that of
/// the kernel's file, and of others the way from its folder.
[[nodiscard]] std::string labelOf(const SplitFile& file, const std::string& path);

/// Reads a file from the folder of the file that includes it.
[[nodiscard]] std::optional<IncludedFile> readBeside(const std::string& fromPath, const std::string& named);

}  // namespace wb
