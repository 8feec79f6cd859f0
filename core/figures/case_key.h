// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

namespace wb {

/// A case of a report. Its row id in every table is "kernel/index".
struct CaseKey {
  std::size_t kernel = 0, index = 0;
  bool operator==(const CaseKey&) const = default;
};
/// What a figure shows: this case, or without one all that it can.
using OneCase = std::optional<CaseKey>;

}  // namespace wb
