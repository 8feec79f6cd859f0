// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/doctor/doctor.h"
#include "core/figures/figure.h"

namespace wb {

/// One row per line of the doctor.
[[nodiscard]] Table doctorTable(const std::vector<DoctorLine>& lines);

}  // namespace wb
