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

/// What a rule says: one sentence with the numbers on which it rests.
struct Advice {
  std::string text;
  /// Warning means that it is worth changing, good that nothing is left to gain there.
  Tone tone = Tone::neutral;
  /// The share of the time that is at stake, as far as it can be told, 0 to 1.
  double weight = 0;
  /// The line of the source to which it points; line 0 is none.
  Place place;
  /// The most of the call's time that this can save, 0 to 1, where the numbers tell it. It is a bound and no
  /// promise, since what waits behind it is not known; a loose bound puts no advice before another.
  std::optional<double> saves = {};
};

/// A rule about one profiled case. It says nothing when it does not know.
struct AdviceRule {
  std::string_view id, title;
  std::optional<Advice> (*judge)(const Report&, const ProfiledCase&);
  /// The names of the metrics on which it rests, in the order in which they are looked at.
  std::span<const std::string_view> metrics{};
};
[[nodiscard]] std::span<const AdviceRule> adviceRules();

}  // namespace wb
