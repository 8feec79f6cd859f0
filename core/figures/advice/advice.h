// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/figures/figure.h"
#include "core/figures/profile/profile_facts.h"
#include "core/model/report.h"

namespace wb {

/// What a rule has to say: one sentence with the numbers it rests on.
struct Advice {
  std::string text;
  Tone tone = Tone::neutral;  ///< warning: worth changing; good: nothing left to gain there
  double weight = 0;          ///< share of the time that is at stake, as far as it can be told, 0 to 1
  Place place;                ///< line of the source that it points to; line 0 none
};

/// Of one profiled case. A rule says nothing when it does not know.
struct AdviceRule {
  std::string_view id, title;
  std::optional<Advice> (*judge)(const Report&, const ProfiledCase&);
};
[[nodiscard]] std::span<const AdviceRule> adviceRules();

}  // namespace wb
