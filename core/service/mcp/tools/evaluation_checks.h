// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/jobs/evaluation/evaluation_request.h"

namespace wb {

/// What the evaluation server's tools refuse although its HTTP interface takes it, in that server's words
/// where they are known; "" where nothing is wrong.
[[nodiscard]] std::string wrongForTools(const EvaluationRequest& request);

}  // namespace wb
