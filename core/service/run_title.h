// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/job.h"

namespace wb {

/// What a run is called in lists: "relu.cpp", "relu.cpp and 3 more". Folders of a path are left out.
[[nodiscard]] std::string runTitle(const Job& job);

}  // namespace wb
