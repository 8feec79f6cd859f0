// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace wb {

/// How long each case is timed.
enum class Effort { quick, standard, thorough };

struct EffortPreset {
  Effort effort;
  std::string_view name;
  /// TimingPlan::capSeconds; a case takes less time when its interval is narrow enough before.
  double capSeconds;
};

/// The presets in the order of Effort.
inline constexpr std::array effortPresets{EffortPreset{Effort::quick, "quick", 0.25},
                                          EffortPreset{Effort::standard, "standard", 1},
                                          EffortPreset{Effort::thorough, "thorough", 10}};

[[nodiscard]] constexpr double capSeconds(Effort effort) {
  return effortPresets[static_cast<std::size_t>(effort)].capSeconds;
}

}  // namespace wb
