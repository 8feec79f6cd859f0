// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/service/evaluation/evaluation_server.h"
#include "core/service/http_message.h"

namespace wb {

/// The evaluation server's routes: POST /evaluate, /compare and /, GET /health, /stats and /job/{id}, POST
/// /admin/cleanup-jobs. The server lives as long as the routes.
[[nodiscard]] HttpRoutes evaluationRoutes(const std::shared_ptr<EvaluationServer>& server);

}  // namespace wb
