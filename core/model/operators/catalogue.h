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
  std::string name;    ///< "aten::sum.dim_IntList"
  std::string schema;  ///< "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *,
                       ///< ScalarType? dtype=None) -> Tensor"
  bool tensorOnly =
      false;  ///< all arguments before the first default are tensors: the overload a bare name means
  bool operator==(const OperatorEntry&) const = default;
};

/// All operators of one torch version. The worker writes it once per version to the user's cache; window and
/// terminal read it.
struct Catalogue {
  std::string torch;                     ///< "2.11.0+cu130"
  std::vector<OperatorEntry> operators;  ///< sorted by name
};

[[nodiscard]] std::filesystem::path catalogueFile(std::string_view torchVersion);
/// The newest catalogue in the cache; error says how to get one (`warpbench doctor`).
Result<Catalogue> readCatalogue();
Result<void> writeCatalogue(const Catalogue& catalogue);

/// The operator a user means: an exact name in any spelling; a bare name is its default overload, else the
/// one overload that is `tensorOnly`. Errors: unknown (nearest names suggested), ambiguous (overloads
/// listed).
Result<OperatorEntry> resolveOperator(std::string_view spelling, const std::vector<OperatorEntry>& operators);

}  // namespace wb
