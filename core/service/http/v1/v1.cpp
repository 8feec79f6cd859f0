// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/v1/v1.h"

#include <algorithm>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/service/http/v1/run_request.h"

namespace wb {
namespace {

using nlohmann::json;

json schemas() {
  json all = runRequestSchemas();
  const json text{{"type", "string"}}, number{{"type", "number"}}, whole{{"type", "integer"}};
  const json link = text;
  all["Run"] = {
      {"type", "object"},
      {"required", json::array({"id", "state", "title", "device", "links"})},
      {"properties",
       {{"id", text},
        {"state", {{"type", "string"}, {"enum", runStates()}}},
        {"title", text},
        {"device", text},
        {"client", text},
        {"priority", whole},
        {"ahead", {{"type", "integer"}, {"description", "How many runs are to start before it"}}},
        {"submitted_at", {{"type", "number"}, {"description", "Seconds since 1970, as all times here"}}},
        {"started_at", number},
        {"ended_at", number},
        {"deadline_at", number},
        {"reason", {{"type", "string"}, {"description", "Why it failed, expired or was cancelled"}}},
        {"restarts", whole},
        {"links",
         {{"type", "object"},
          {"properties", {{"self", link}, {"events", link}, {"report", link}, {"figures", link}}}}}}}};
  all["Error"] = {
      {"type", "object"},
      {"required", json::array({"error"})},
      {"properties",
       {{"error", text},
        {"hint", text},
        {"problems",
         {{"type", "array"},
          {"items",
           {{"type", "object"},
            {"properties",
             {{"at", {{"type", "string"}, {"description", "sources[0].text"}}}, {"message", text}}}}}}}}}};
  return all;
}

/// Names in the query of a request that are none of its route's parameters.
std::vector<FieldProblem> unknownIn(const HttpRequest& request, const std::vector<std::string>& known) {
  std::vector<FieldProblem> problems;
  for (const auto& [name, value] : request.query) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string near = didYouMean(name, known);
    const std::string all = known.empty() ? "this path has none" : "there are " + joined(known, ", ");
    problems.push_back(
        {"?" + name.substr(0, 64), "there is no such parameter; " + (near.empty() ? all : near)});
  }
  return problems;
}

/// A mistyped parameter that is left out of account gives another answer than the one that was asked for.
void refuseUnknownParameters(HttpRoute& route) {
  std::vector<std::string> known;
  for (const json& each : route.operation.value("parameters", json::array()))
    if (each.value("in", "") == "query") known.push_back(each.at("name"));
  route.answer = [known = std::move(known), answer = std::move(route.answer)](const HttpRequest& request) {
    const auto problems = unknownIn(request, known);
    return problems.empty() ? answer(request) : badRequest(problems);
  };
}

}  // namespace

HttpRoutes v1Routes(const V1Context& context) {
  HttpRoutes all;
  all.schemas = schemas();
  addRunRoutes(all, context);
  addEventRoutes(all, context);
  addResultRoutes(all, context);
  addListRoutes(all, context);
  for (HttpRoute& route : all.routes) refuseUnknownParameters(route);
  return all;
}

nlohmann::ordered_json runJson(const RunStatus& run) {
  const std::string self = "/v1/runs/" + run.id;
  nlohmann::ordered_json object{{"id", run.id},
                                {"state", name(run.state)},
                                {"title", run.title},
                                {"device", run.device},
                                {"client", run.client},
                                {"priority", run.priority},
                                {"ahead", run.ahead},
                                {"submitted_at", run.submittedAt},
                                {"started_at", run.startedAt},
                                {"ended_at", run.endedAt},
                                {"deadline_at", run.deadlineAt},
                                {"reason", run.reason},
                                {"restarts", run.restarts}};
  object["links"] = {{"self", self},
                     {"events", self + "/events"},
                     {"report", self + "/report"},
                     {"figures", self + "/figures"}};
  return object;
}

HttpResponse v1Error(int status, std::string_view text, std::string_view hint) {
  nlohmann::ordered_json body{{"error", text}};
  if (!hint.empty()) body["hint"] = hint;
  return HttpResponse::json(status, body);
}

HttpResponse badRequest(const std::vector<FieldProblem>& problems) {
  json list = json::array();
  for (const auto& [at, message] : problems) list.push_back({{"at", at}, {"message", message}});
  return HttpResponse::json(
      400, json{{"error", "the request is not one that can be run"}, {"problems", std::move(list)}});
}

const std::vector<std::string>& runStates() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const RunState state : {RunState::queued, RunState::running, RunState::finished, RunState::cancelled,
                                 RunState::expired, RunState::failed})
      all.emplace_back(name(state));
    return all;
  }();
  return words;
}

std::optional<RunStatus> runOf(const Service& service, const HttpRequest& request) {
  auto run = service.status(request.parameters.at("id"));
  // Another client's run is answered like one that does not exist, so ids tell nobody anything.
  if (run && !request.client.isAdmin && run->client != request.client.name) return std::nullopt;
  return run;
}

HttpResponse noSuchRun(const HttpRequest& request) {
  return v1Error(404, "there is no run " + request.parameters.at("id").substr(0, 64),
                 "GET /v1/runs lists those that there are");
}

nlohmann::json operation(std::string_view summary, nlohmann::json good, const nlohmann::json& more) {
  json result{{"summary", summary}, {"responses", std::move(good)}, {"tags", json::array({"v1"})}};
  result.update(more);
  result["responses"]["default"] = answerOf("What is wrong", "Error");
  return result;
}

nlohmann::json answerOf(std::string_view what, std::string_view schema, std::string_view type) {
  json content{{std::string(type), json::object()}};
  if (!schema.empty())
    content[std::string(type)]["schema"] = {{"$ref", "#/components/schemas/" + std::string(schema)}};
  else
    content[std::string(type)]["schema"] = json::object();
  return {{"description", what}, {"content", std::move(content)}};
}

nlohmann::json queryParameter(std::string_view name, std::string_view what, nlohmann::json schema) {
  return {{"name", name}, {"in", "query"}, {"description", what}, {"schema", std::move(schema)}};
}

}  // namespace wb
