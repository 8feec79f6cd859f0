// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/operators/catalogue.h"
#include "core/service/http/v1/fields.h"
#include "core/service/http_message.h"
#include "core/service/service.h"

namespace wb {

/// What the routes of /v1 work on.
struct V1Context {
  /// Must live longer than the routes.
  Service& service;
  /// The interpreter that makes suites; "" means the one that is found.
  std::string python;
  /// The operators of torch. Called when somebody asks, and may take seconds the first time.
  std::function<Result<Catalogue>()> operators;
  /// Says that the service is stopping; may be empty.
  std::function<bool()> isDraining;
};

/// The routes of our own API: /v1/runs and what belongs to it, and the lists.
[[nodiscard]] HttpRoutes v1Routes(const V1Context& context);

// The rooms of it, each in a file of its own.
void addRunRoutes(HttpRoutes& to, const V1Context& context);
void addEventRoutes(HttpRoutes& to, const V1Context& context);
void addResultRoutes(HttpRoutes& to, const V1Context& context);
void addListRoutes(HttpRoutes& to, const V1Context& context);

/// A run as every answer of /v1 says it.
[[nodiscard]] nlohmann::ordered_json runJson(const RunStatus& run);
/// The body of an error.
[[nodiscard]] HttpResponse v1Error(int status, std::string_view text, std::string_view hint = {});
/// The answer that says all that is wrong with a request, each with its place.
[[nodiscard]] HttpResponse badRequest(const std::vector<FieldProblem>& problems);
/// The words for the states of a run.
[[nodiscard]] const std::vector<std::string>& runStates();
/// The run that a request's path names, if it is the client's to see.
[[nodiscard]] std::optional<RunStatus> runOf(const Service& service, const HttpRequest& request);
[[nodiscard]] HttpResponse noSuchRun(const HttpRequest& request);

/// OpenAPI's operation object: what it does, what it answers when all is well, and further members. Answers
/// of errors that every route has are added.
[[nodiscard]] nlohmann::json operation(std::string_view summary, nlohmann::json good,
                                       const nlohmann::json& more = nlohmann::json::object());
/// An OpenAPI response of a media type, with the name of its schema or "".
[[nodiscard]] nlohmann::json answerOf(std::string_view what, std::string_view schema = {},
                                      std::string_view type = "application/json");
/// An OpenAPI parameter of the query.
[[nodiscard]] nlohmann::json queryParameter(std::string_view name, std::string_view what,
                                            nlohmann::json schema = {{"type", "string"}});

}  // namespace wb
