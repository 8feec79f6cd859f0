// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"

namespace wb {

/// A file that goes to another machine beside a kernel.
struct CarriedFile {
  /// Where it is here: absolute, without "." and "..". One that ends with a slash is a folder, which is
  /// wanted there also where it would be empty: from it "../common/x.h" is found.
  std::string path;
  std::string content;
  bool operator==(const CarriedFile&) const = default;
};

/// All files that the job's kernels and references take in from their surroundings, and what those take in:
/// what is included, Python modules and packages that are imported, and files of a kernel's folder whose
/// names stand in quotation marks in its text. Outside of a kernel's folder only source files count. They are
/// sorted by path, and the kernels themselves are not among them, but their folders are. Error: they are too
/// large or too many.
Result<std::vector<CarriedFile>> neighboursOf(const Job& job);

}  // namespace wb
