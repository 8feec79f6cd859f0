// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// One operator as torch's dispatcher knows it.
struct OperatorEntry {
  /// The name: "aten::sum.dim_IntList".
  std::string name;
  /// The schema: "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType?
  /// dtype=None) -> Tensor".
  std::string schema;
  /// All arguments before the first default are tensors: this is the overload that a bare name means.
  bool tensorOnly = false;
  bool operator==(const OperatorEntry&) const = default;
};

/// All operators of one torch version. The worker writes this once per version to the user's cache; window
/// and terminal read it.
struct Catalogue {
  /// The version of torch: "2.11.0+cu130".
  std::string torch;
  /// The operators, sorted by name.
  std::vector<OperatorEntry> operators;
};

[[nodiscard]] std::filesystem::path catalogueFile(std::string_view torchVersion);
/// The newest catalogue in the cache. The error says how to get one (`warpbench doctor`).
Result<Catalogue> readCatalogue();
Result<void> writeCatalogue(const Catalogue& catalogue);

/// What is wrong with a name that has no operator in it, such as the one of a function `_kernel_impl`.
[[nodiscard]] Error withoutName(std::string_view spelling);

/// The operator that a user means: an exact name in any spelling; a bare name means its default overload,
/// else the one overload that is `tensorOnly`. Errors: it is unknown (nearest names suggested), or ambiguous
/// (overloads listed).
Result<OperatorEntry> resolveOperator(std::string_view spelling, const std::vector<OperatorEntry>& operators);

}  // namespace wb
