// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace wb {

/// A folder whose place says nothing about what is built, and what stands for it: which content it has.
struct KnownFolder {
  std::string path, name;
};

/// What stands for a folder with CUDA's headers or libcu++: a hash of those that tell its version. It is read
/// once per process.
[[nodiscard]] std::string cudaHeadersIn(const std::string& folder);

/// The options of a compilation as its key has them, one a line: the folders in them by their names, so that
/// the same kernel has the same key wherever torch, CUDA and the caches lie.
[[nodiscard]] std::string placeless(const std::vector<std::string>& options,
                                    std::vector<KnownFolder> folders);

/// The same in a text that names its files in quotation marks, as `#line` does.
void nameFiles(std::string& text, const std::vector<KnownFolder>& files);

/// What stands for options that mean the processor at hand ("-march=native"): that processor. "" where there
/// is none among them.
[[nodiscard]] std::string processorMeant(const std::vector<std::string>& options);

}  // namespace wb
