// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace wb {

/// A header that kernels are compiled with, carried inside the program
/// (packaging/cmake/embed_headers.cmake).
struct EmbeddedHeader {
  /// What #include finds it by: "torch/extension.h". A terminating zero follows it, as it does the text.
  std::string_view name;
  std::string_view text;
};

/// Those of the host's compilers (core/engine/compile/standin).
[[nodiscard]] std::span<const EmbeddedHeader> standinHeaders();
/// The numbers of the C library, parts of the standard one, and headers in the place of CUDA's, for
/// everything that NVRTC compiles (core/engine/compile/nvrtc/device).
[[nodiscard]] std::span<const EmbeddedHeader> nvrtcHeaders();
/// Those of the device's part of an extension (core/engine/compile/torch_cuda/device).
[[nodiscard]] std::span<const EmbeddedHeader> extensionHeaders();

}  // namespace wb
