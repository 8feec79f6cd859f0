// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <utility>

#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "core/figures/verdict/verdict_line.h"
#include "core/model/json/json_codec.h"
#include "core/report/exporters.h"
#include "core/report/formats.h"
#include "core/service/http/v1/figure_json.h"
#include "core/service/http/v1/v1.h"

namespace wb {
namespace {

using nlohmann::json;

/// A page may hold what kernels have printed. Its scripts run in an origin of their own, which can ask this
/// server for nothing.
constexpr std::string_view pagePolicy =
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:";

/// Names of kernels stand in a picture as text; nothing in it runs.
constexpr std::string_view picturePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

struct ReportFormat {
  std::string_view id, type;
  Result<std::string> (*write)(const Report&);
};

Result<std::string> plainJson(const Report& report) {
  return dump(toJson(report));
}

constexpr std::array reportFormats{
    ReportFormat{"json", "application/json", plainJson},
    ReportFormat{"html", "text/html; charset=utf-8", htmlReport},
    ReportFormat{"md", "text/markdown; charset=utf-8", markdownReport},
    ReportFormat{"csv", "text/csv; charset=utf-8", csvReport},
};

/// A run and its report, or the answer that says why there is none.
struct Wanted {
  std::shared_ptr<const Report> report;
  HttpResponse missing;
};

Wanted reportOf(const Service& service, const HttpRequest& request) {
  const auto run = runOf(service, request);
  if (!run) return {nullptr, noSuchRun(request)};
  auto report = service.report(run->id);
  if (report) return {std::move(report), {}};
  if (run->state == RunState::queued)
    return {nullptr,
            v1Error(409, "the run has not started yet", "follow it at " + request.path + "/../events")};
  return {nullptr, v1Error(410, "the report is no longer kept")};
}

HttpResponse reportAnswer(const Service& service, const HttpRequest& request) {
  auto [report, missing] = reportOf(service, request);
  if (!report) return missing;
  const std::string wanted = request.queried("format").value_or("json");
  for (const ReportFormat& format : reportFormats) {
    if (format.id != wanted) continue;
    auto text = format.write(*report);
    if (!text) return v1Error(500, text.error().text, text.error().hint);
    HttpResponse response = HttpResponse::text(200, format.type, *std::move(text));
    if (format.id == "html") response.headers.emplace("Content-Security-Policy", std::string(pagePolicy));
    return response;
  }
  return v1Error(400, "there is no such format of a report", "ask for json, html, md or csv");
}

/// A report knows no more than that it was cancelled; the run knows that its deadline did that.
std::string withDeadline(std::string text, const RunStatus& run) {
  if (run.state != RunState::expired) return text;
  for (const auto& [before, after] :
       {std::pair<std::string_view, std::string_view>{"Cancelled", "Ended by its deadline"},
        {"cancelled", "ended by its deadline"}})
    if (const auto at = text.rfind(before); at != std::string::npos) text.replace(at, before.size(), after);
  return text;
}

HttpResponse figureList(const Service& service, const HttpRequest& request) {
  const auto [report, missing] = reportOf(service, request);
  if (!report) return missing;
  const RunStatus run = runOf(service, request).value_or(RunStatus{});
  VerdictLine line = verdictLine(*report);
  line.caveat = withDeadline(std::move(line.caveat), run);
  nlohmann::ordered_json body{{"verdict", verdictText(line)},
                              {"progress", withDeadline(progressLine(*report), run)},
                              {"fraction", progressFraction(*report)},
                              {"figures", nlohmann::ordered_json::array()}};
  const std::string folder = "/v1/runs/" + request.parameters.at("id") + "/figures/";
  for (const FigureInfo& info : figures()) {
    if (!wanted(info, *report)) continue;
    const Figure figure = info.make(*report);
    body["figures"].push_back({{"id", info.id},
                               {"title", info.title},
                               {"size", sizeOf(figure)},
                               {"empty", whyEmpty(figure)},
                               {"link", folder + std::string(info.id)}});
  }
  return HttpResponse::json(200, body);
}

HttpResponse oneFigure(const Service& service, const HttpRequest& request) {
  const auto [report, missing] = reportOf(service, request);
  if (!report) return missing;
  const FigureInfo* info = findFigure(request.parameters.at("figure"));
  if (info == nullptr)
    return v1Error(404, "there is no such figure", "the run's figures lists those that there are");
  const Figure figure = info->make(*report);
  const std::string format = request.queried("format").value_or("json");
  if (format == "json") return HttpResponse::json(200, figureJson(figure));
  if (format == "csv") return HttpResponse::text(200, "text/csv; charset=utf-8", figureCsv(figure));
  if (format == "md") return HttpResponse::text(200, "text/markdown; charset=utf-8", markdownFigure(figure));
  if (format == "text") return HttpResponse::text(200, "text/plain; charset=utf-8", toText(figure));
  if (format == "html") {
    HttpResponse response = HttpResponse::text(200, "text/html; charset=utf-8", htmlFigure(*report, *info));
    response.headers.emplace("Content-Security-Policy", std::string(pagePolicy));
    return response;
  }
  if (format == "svg") {
    std::string picture = svgFigure(figure);
    if (picture.empty())
      return v1Error(400, "this figure is no chart, or has nothing to draw yet",
                     "ask for html, csv, md or json");
    HttpResponse response = HttpResponse::text(200, "image/svg+xml", std::move(picture));
    response.headers.emplace("Content-Security-Policy", std::string(picturePolicy));
    return response;
  }
  return v1Error(400, "there is no such format of a figure", "ask for json, csv, html, svg, md or text");
}

json choice(std::initializer_list<const char*> words) {
  json schema{{"type", "string"}, {"enum", json::array()}};
  for (const char* word : words) schema["enum"].push_back(word);
  return schema;
}

}  // namespace

void addResultRoutes(HttpRoutes& to, const V1Context& context) {
  Service& service = context.service;
  json report = answerOf("The report, as far as the run is");
  for (const ReportFormat& format : reportFormats)
    report["content"][std::string(format.type)] = {{"schema", json::object()}};
  to.routes.push_back(
      {"GET", "/v1/runs/{id}/report",
       [&service](const HttpRequest& request) { return reportAnswer(service, request); }, HttpAccess::client,
       operation(
           "Fetch a run's report",
           {{"200", report},
            {"409", answerOf("The run has not started", "Error")},
            {"410", answerOf("The report is no longer kept", "Error")}},
           {{"parameters", {queryParameter("format", "The form", choice({"json", "html", "md", "csv"}))}}})});
  to.routes.push_back(
      {"GET", "/v1/runs/{id}/figures",
       [&service](const HttpRequest& request) { return figureList(service, request); }, HttpAccess::client,
       operation("Say what a run came to in one line, and list its tables and charts",
                 {{"200", answerOf("{\"verdict\", \"progress\", \"fraction\", \"figures\": […]}")}})});
  json figure = answerOf("The figure");
  for (const char* type : {"text/csv", "text/html", "image/svg+xml", "text/markdown", "text/plain"})
    figure["content"][type] = {{"schema", json::object()}};
  to.routes.push_back(
      {"GET", "/v1/runs/{id}/figures/{figure}",
       [&service](const HttpRequest& request) { return oneFigure(service, request); }, HttpAccess::client,
       operation("Fetch one table or chart of a run", {{"200", figure}},
                 {{"parameters",
                   {{{"name", "figure"},
                     {"in", "path"},
                     {"required", true},
                     {"description", "The id of a figure, as the list of figures has it"},
                     {"schema", {{"type", "string"}}},
                     {"example", "cases"}},
                    queryParameter("format", "The form",
                                   choice({"json", "csv", "html", "svg", "md", "text"}))}}})});
}

}  // namespace wb
