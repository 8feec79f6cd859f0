// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "core/figures/case_key.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

// The charts of a run's times.

/// One bar per timed case; of very many those with the lowest speedups.
[[nodiscard]] BarChart speedupChart(const Report& report);
/// One bar per operator; none where that repeats the cases.
[[nodiscard]] BarChart operatorSpeedupChart(const Report& report);
/// One curve per operator and type over the bytes of the call's tensors.
[[nodiscard]] PlaneChart sizeChart(const Report& report);
/// Bytes of the elements of all tensors in a call's arguments, "((T([5, 5], f32),), {})"; 0 where there are
/// none, or one of a type that is not known. A huge size saturates.
[[nodiscard]] std::int64_t tensorBytesOf(std::string_view args);

/// Every sample of both sides of one case in the order of measuring, with medians and how often which time
/// came. Without `only` it shows the case with the widest interval.
[[nodiscard]] PlaneChart samplesChart(const Report& report, OneCase only = {});

}  // namespace wb
