// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>
#include <variant>

#include "core/base/text.h"
#include "core/service/http/v1/run_request.h"
#include "core/service/http/v1/v1.h"
#include "core/service/idempotency_key.h"

namespace wb {
namespace {

using nlohmann::json;

constexpr int longestWait = 600;
constexpr std::size_t mostListed = 1000;

/// The whole number that a query gives; none where it is no number, or out of bounds.
std::optional<int> numberOf(const std::optional<std::string>& text, int least, int most, int otherwise) {
  if (!text) return otherwise;
  int number = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), number);
  const bool isNumber = failed == std::errc() && end == text->data() + text->size();
  return isNumber && number >= least && number <= most ? std::optional(number) : std::nullopt;
}

int statusOf(const Refusal& refusal, bool isDraining) {
  if (refusal.cause == Refusal::Cause::keyIsTaken) return 422;
  if (refusal.cause == Refusal::Cause::noDisk) return 507;
  if (refusal.retryAfterSeconds <= 0) return 400;
  return isDraining ? 503 : 429;
}

HttpResponse refused(const Refusal& refusal, bool isDraining) {
  const bool isLater = refusal.retryAfterSeconds > 0;
  HttpResponse response = v1Error(statusOf(refusal, isDraining), refusal.error.text, refusal.error.hint);
  if (isLater)
    response.headers.emplace("Retry-After", fmt::format("{:.0f}", std::ceil(refusal.retryAfterSeconds)));
  return response;
}

std::vector<std::string> deviceIds(const Service& service) {
  std::vector<std::string> ids;
  for (const DeviceState& each : service.devices()) ids.push_back(each.device);
  return ids;
}

/// Samples of suites are made for a device, which "auto" is not yet.
std::string planningDevice(const std::string& wanted, const std::vector<std::string>& devices) {
  if (wanted != "auto") return wanted;
  const auto gpu = std::ranges::find_if(devices, [](const auto& each) { return each.starts_with("cuda"); });
  return gpu != devices.end() ? *gpu : "cpu";
}

HttpResponse submitRun(const V1Context& context, const HttpRequest& request) {
  const auto wait = numberOf(request.queried("wait"), 0, longestWait, 0);
  if (!wait)
    return badRequest(
        {{"?wait", fmt::format("expected a whole number of seconds, from 0 to {}", longestWait)}});
  const auto key = IdempotencyKey::of(request);
  if (!key)
    return badRequest(
        {{IdempotencyKey::header, fmt::format("has more than {} bytes", IdempotencyKey::mostBytes)}});
  const auto devices = deviceIds(context.service);
  auto read = runRequestOf(request.body, devices);
  if (const auto* problems = std::get_if<std::vector<FieldProblem>>(&read)) return badRequest(*problems);
  auto& wanted = std::get<RunRequest>(read);
  const std::string device = std::exchange(wanted.job.device, planningDevice(wanted.job.device, devices));
  wanted.job.python = context.python;
  auto planned = planJob(wanted.job);
  if (!planned) return v1Error(400, planned.error().text, planned.error().hint);
  planned->job.device = device;
  const auto submitted = context.service.submit({.job = std::move(planned->job),
                                                 .client = request.client.name,
                                                 .priority = wanted.priority,
                                                 .deadlineSeconds = wanted.deadlineSeconds,
                                                 .idempotencyKey = key->key,
                                                 .requestHash = key->requestHash,
                                                 .note = {}});
  if (const auto* refusal = std::get_if<Refusal>(&submitted))
    return refused(*refusal, context.isDraining && context.isDraining());
  const auto& id = std::get<std::string>(submitted);
  const auto run = *wait > 0
                       ? waitFor(context.service, id, *key, std::chrono::seconds(*wait), request.isWanted)
                       : context.service.status(id);
  if (!run) return v1Error(500, "the run is gone");
  auto body = runJson(*run);
  if (!planned->warnings.empty()) body["warnings"] = planned->warnings;
  HttpResponse response = HttpResponse::json(isOver(run->state) && *wait > 0 ? 200 : 202, body);
  response.headers.emplace("Location", "/v1/runs/" + id);
  return response;
}

HttpResponse listRuns(const Service& service, const HttpRequest& request) {
  const auto most = numberOf(request.queried("most"), 1, mostListed, 100);
  if (!most) return badRequest({{"?most", fmt::format("expected a whole number from 1 to {}", mostListed)}});
  const std::string state = request.queried("state").value_or("");
  if (!state.empty() && std::ranges::find(runStates(), state) == runStates().end())
    return badRequest({{"?state", "expected " + joined(runStates(), ", ")}});
  nlohmann::ordered_json body{{"runs", nlohmann::ordered_json::array()}};
  const std::size_t enough =
      request.client.isAdmin && state.empty() ? static_cast<std::size_t>(*most) : std::size_t{100'000};
  for (const RunStatus& run : service.runs(enough)) {
    if (!request.client.isAdmin && run.client != request.client.name) continue;
    if (!state.empty() && name(run.state) != state) continue;
    if (body["runs"].size() >= static_cast<std::size_t>(*most)) break;
    body["runs"].push_back(runJson(run));
  }
  return HttpResponse::json(200, body);
}

HttpResponse cancelRun(Service& service, const HttpRequest& request) {
  const auto run = runOf(service, request);
  if (!run) return noSuchRun(request);
  service.cancel(run->id, fmt::format("cancelled by {}", request.client.name));
  return HttpResponse::json(202, runJson(service.status(run->id).value_or(*run)));
}

}  // namespace

void addRunRoutes(HttpRoutes& to, const V1Context& context) {
  Service& service = context.service;
  const json runSchema = answerOf("The run", "Run");
  const json example{{"sources",
                      {{{"name", "relu.cpp"},
                        {"op", "relu"},
                        {"text",
                         "#include <torch/all.h>\nat::Tensor relu(const at::Tensor& self) {\n"
                         "  return at::clamp_min(self, 0);\n}\n"}}}},
                     {"stages", {"compile", "check"}}};
  const json body{{"required", true},
                  {"content",
                   {{"application/json",
                     {{"schema", {{"$ref", "#/components/schemas/RunRequest"}}}, {"example", example}}}}}};
  to.routes.push_back(
      {"POST", "/v1/runs", [context](const HttpRequest& request) { return submitRun(context, request); },
       HttpAccess::client,
       operation(
           "Hand in a run",
           {{"200", answerOf("The run, which is over", "Run")},
            {"202", answerOf("The run, which was accepted and is written down", "Run")},
            {"400", answerOf("All that is wrong with the request, each with its place", "Error")},
            {"422", answerOf("The idempotency key stands for another request", "Error")},
            {"429", answerOf("The queue is full; Retry-After says when to try again", "Error")},
            {"503", answerOf("The service is stopping", "Error")},
            {"507",
             answerOf("The run cannot be written down, since the disk is full; Retry-After says when to "
                      "try again",
                      "Error")}},
           {{"requestBody", body},
            {"parameters",
             {queryParameter("wait",
                             "Waits so many seconds for the end; a client without a key that goes away "
                             "meanwhile ends the run",
                             {{"type", "integer"}, {"minimum", 0}, {"maximum", longestWait}}),
              {{"name", IdempotencyKey::header},
               {"in", "header"},
               {"description", "The same key of the same client means the same run, and has the same body"},
               {"schema", {{"type", "string"}, {"maxLength", IdempotencyKey::mostBytes}}}}}}})});
  to.routes.push_back(
      {"GET", "/v1/runs", [&service](const HttpRequest& request) { return listRuns(service, request); },
       HttpAccess::client,
       operation("List runs, those that wait and run first", {{"200", answerOf("{\"runs\": [run, …]}")}},
                 {{"parameters",
                   {queryParameter("most", "How many at most",
                                   {{"type", "integer"}, {"minimum", 1}, {"maximum", mostListed}}),
                    queryParameter("state", "Only those in this state",
                                   {{"type", "string"}, {"enum", runStates()}})}}})});
  to.routes.push_back({"GET", "/v1/runs/{id}",
                       [&service](const HttpRequest& request) {
                         const auto run = runOf(service, request);
                         return run ? HttpResponse::json(200, runJson(*run)) : noSuchRun(request);
                       },
                       HttpAccess::client, operation("Tell where a run is", {{"200", runSchema}})});
  to.routes.push_back(
      {"DELETE", "/v1/runs/{id}",
       [&service](const HttpRequest& request) { return cancelRun(service, request); }, HttpAccess::client,
       operation("End a run", {{"202", answerOf("The run, which ends or has ended", "Run")}})});
}

}  // namespace wb
