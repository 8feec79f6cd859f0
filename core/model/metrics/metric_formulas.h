// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/profile.h"

namespace wb {

/// The formulas by the names that MetricInfo::formula uses: "flop_fp32", "arithmetic_intensity", … In the
/// order of the list.
[[nodiscard]] std::vector<std::string_view> metricFormulas();

/// The CUPTI names that a formula needs, each once. Empty for an unknown formula.
[[nodiscard]] std::vector<std::string> formulaInputs(std::string_view formula);

/// The formula's value in the catalogue's unit. NaN when an input is missing or NaN, when the denominator is
/// zero, or when the formula is not known.
[[nodiscard]] double evaluateFormula(std::string_view formula, std::span<const MetricValue> values);

/// Appends every metric of the catalogue that has a formula and whose inputs are among `values`, in the order
/// of the catalogue.
void addDerived(std::vector<MetricValue>& values);

/// The metrics of a call of several kernels: those that add up (MetricInfo::sums) are added, formulas are
/// computed from the sums, and all others are left out, as is one that any launch lacks. A call of one launch
/// has that launch's metrics.
[[nodiscard]] std::vector<MetricValue> metricsOfCall(std::span<const Launch> launches);

}  // namespace wb
