// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/profile.h"

namespace wb {

/// Metrics that are computed from others, by the names that MetricInfo::formula uses: "flop_fp32",
/// "arithmetic_intensity", … In the order of the list.
[[nodiscard]] std::vector<std::string_view> metricFormulas();

/// CUPTI names that a formula cannot do without, each once. Empty for an unknown formula.
[[nodiscard]] std::vector<std::string> formulaInputs(std::string_view formula);

/// The formula's value, in the unit that the catalogue says. NaN when an input is missing or NaN, when the
/// denominator is zero, or when the formula is not known.
[[nodiscard]] double evaluateFormula(std::string_view formula, std::span<const MetricValue> values);

/// Appends every metric of the catalogue that has a formula and whose inputs are among `values`, in the order
/// of the catalogue.
void addDerived(std::vector<MetricValue>& values);

/// What a call of several kernels comes to: metrics that add up (MetricInfo::sums) added, formulas computed
/// from the sums, all else left out; one that any launch lacks is left out too. Of one launch: its own.
[[nodiscard]] std::vector<MetricValue> metricsOfCall(std::span<const Launch> launches);

}  // namespace wb
