// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/compile/host/host_builder.h"

namespace wb {

/// Whether a text is all that decides about what is built of it: options could name code that the compiler is
/// to run (plugins), and files' names lead out of the folder.
[[nodiscard]] bool isTextAlone(const TextToBuild& text);

/// Builds C++ texts for processes that nobody trusts, and keeps what was built by its content. A compiler
/// only reads a text, and it does that inside walls: whoever hands one in gets nothing but the object that
/// belongs to this very text.
class TextBuilds {
 public:
  /// `cudaIncludes` are the folders with CUDA's headers.
  explicit TextBuilds(std::vector<std::filesystem::path> cudaIncludes,
                      std::filesystem::path cache = cacheFolder())
      : cudaIncludes_(std::move(cudaIncludes)), cache_(std::move(cache)) {}

  /// Builds a text within so many seconds; nothing where it is more than a text, or that takes too long.
  std::optional<BuiltText> build(const TextToBuild& text, double seconds, std::stop_token stop);

 private:
  std::vector<std::filesystem::path> cudaIncludes_;
  std::filesystem::path cache_;
  /// By the header that is included ahead of a text.
  std::map<std::string, HostBuilder> builders_;
};

}  // namespace wb
