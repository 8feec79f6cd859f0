// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/jobs/job_request.h"
#include "core/service/http/v1/fields.h"

namespace wb {

/// What a client asks to be run.
struct RunRequest {
  /// Its device is as asked for: "auto", "cpu", "cuda:N".
  JobRequest job;
  int priority = 0;
  double deadlineSeconds = 0;
};

/// Reads the body of POST /v1/runs, or says all that is wrong with it. Texts come with the request, and names
/// of files are names alone: nothing in it makes the service read a file of its own. `devices` are those that
/// the service has.
std::variant<RunRequest, std::vector<FieldProblem>> runRequestOf(std::string_view body,
                                                                 const std::vector<std::string>& devices);

/// The JSON schemas of what it reads, for OpenAPI.
[[nodiscard]] nlohmann::json runRequestSchemas();

}  // namespace wb
