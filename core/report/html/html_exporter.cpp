// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/verdict/verdict_line.h"
#include "core/model/json/json_codec.h"
#include "core/report/formats.h"
#include "core/report/html/assets.h"
#include "core/report/html/html_charts.h"
#include "core/report/html/html_figures.h"
#include "core/report/html/html_source.h"
#include "core/report/html/html_text.h"
#include "core/report/title.h"

namespace wb {

namespace {

using nlohmann::json;

/// Raw samples are most of a large report; beyond this many blocks (about 2 MB) the page goes without them.
constexpr std::size_t mostBlocks = 20'000;

std::size_t blocksIn(const Report& report) {
  std::size_t blocks = 0;
  for (const auto& kernel : report.kernels)
    forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
      if (row.timing) blocks += row.timing->blocks.size();
    });
  return blocks;
}

/// Without the samples of its timings and the elements of failing cases, which the page shows.
Report lightened(Report report) {
  for (auto& shared : report.kernels) {
    KernelReport& kernel = shared.write();
    for (std::size_t i = 0; i < kernel.cases.size(); ++i)
      if (CaseRow& row = kernel.cases.write(i); row.timing)
        row.timing->blocks.clear();
      else
        row.check.wrong.reset();
  }
  return report;
}

/// Numbers of a case's timing that most cases do not have, and that are 0 then.
bool isUnknown(const std::string& key, const json& value) {
  if (key == "kernel" || key == "kernelHot" || key == "step" || key == "call" || key == "host" ||
      key == "events" || key == "joules")
    return value.is_object() && value.value("reference", 0.0) == 0 && value.value("candidate", 0.0) == 0;
  return (key == "floor" || key == "dropped" || key == "tick" || key == "empty") && value.is_number() &&
         value == 0;
}

/// Drops members that say nothing: reading gives them back as the defaults they are.
void prune(json& value) {
  for (auto it = value.begin(); it != value.end();) {
    if (it->is_structured()) prune(*it);
    const bool idle = (it->is_string() && it->get_ref<const std::string&>().empty()) ||
                      (it->is_array() && it->empty()) || it->is_null() ||
                      (value.is_object() && isUnknown(it.key(), *it));
    it = value.is_object() && idle ? value.erase(it) : std::next(it);
  }
}

std::string embeddedReport(const Report& report, bool light) {
  json whole = toJson(light ? lightened(report) : report);
  for (json& kernel : whole["kernels"]) prune(kernel["cases"]);
  return scriptSafe(dump(whole));
}

/// The parts of the page, put together figure by figure.
class WebPage {
 public:
  /// One figure alone, also where it is empty.
  WebPage(const Report& report, const FigureInfo& info)
      : report_(report), link_([](const Place&) { return std::string(); }), charts_(json::array()) {
    const Figure figure = info.make(report);
    content_ = htmlOf(info, figure);
    if (content_.empty())
      content_ = htmlTable(Table{.id = std::string(info.id),
                                 .title = std::string(info.title),
                                 .empty = std::string(whyEmpty(figure))},
                           link_);
  }
  explicit WebPage(const Report& report) : report_(report) {
    charts_ = json::array();
    link_ = [this](const Place& place) { return sourceLink(report_, place); };
    for (const FigureInfo& info : figures())
      if (info.page != Page::reference && wanted(info, report)) add(info);
    addSection("source", "Source", htmlSources(report_));
    // What a run depends on is looked up, not read first.
    for (const FigureInfo& info : figures())
      if (info.page == Page::reference) add(info);
    addSection("log", "Log", htmlLog(report_));
  }

  [[nodiscard]] std::string content() const { return content_; }
  [[nodiscard]] std::string nav() const { return nav_; }
  /// What charts.js draws.
  [[nodiscard]] std::string charts() const { return scriptSafe(dump(charts_)); }

 private:
  /// `title` of the link at the top of the page: the first figure of a title has it.
  void addSection(std::string_view id, std::string_view title, const std::string& html) {
    if (html.empty()) return;
    content_ += html;
    if (title.empty() || title == lastTitle_) return;
    lastTitle_ = title;
    nav_ += fmt::format("<a href=\"#{}\">{}</a>", escapeHtml(id), escapeHtml(title));
  }
  void add(const FigureInfo& info) {
    const Figure figure = info.make(report_);
    // A chart without anything says why, unless it would only repeat others.
    const bool isLeftOut = info.kind == FigureKind::table || info.fewestRows > 1;
    if (isLeftOut && sizeOf(figure) < info.fewestRows) return;
    addSection(info.id, info.title, htmlOf(info, figure));
  }
  std::string htmlOf(const FigureInfo& info, const Figure& figure) {
    return std::visit([&](const auto& one) { return html(info, one); }, figure);
  }
  std::string html(const FigureInfo&, const Cards& cards) { return htmlCards(cards); }
  template <class Chart>
  std::string html(const FigureInfo&, const Chart& chart) {
    if constexpr (isDrawnByScript<Chart>)
      if (chart.empty.empty()) charts_.push_back(pageJson(chart));
    return htmlChart(chart);
  }
  std::string html(const FigureInfo&, const CellMaps& maps) { return htmlMaps(maps); }
  std::string html(const FigureInfo&, const Table& full) {
    return htmlTable(withoutEmptyColumns(full), link_);
  }

  const Report& report_;
  Link link_;
  json charts_;
  std::string content_, nav_, lastTitle_;
};

std::string eyebrow(const Report& report) {
  std::string text = report.target.deviceName.empty() ? report.device : report.target.deviceName;
  if (const std::string targets = targetsText(report); !targets.empty()) text += " on " + targets;
  if (!report.target.torch.empty()) text += " · torch " + report.target.torch;
  if (!report.suite.empty()) text += " · suite " + report.suite;
  if (!report.startedAt.empty()) text += " · " + report.startedAt;
  return text;
}

std::string filled(const WebPage& page, const Report& report, std::string_view samples, bool light) {
  return fillTemplate(asset::pageTemplate, [&](std::string_view name) -> std::string {
    if (name == "title") return escapeHtml(reportTitle(report));
    if (name == "eyebrow") return escapeHtml(eyebrow(report));
    if (name == "summary") return escapeHtml(verdictText(verdictLine(report)));
    if (name == "version") return WB_VERSION;
    if (name == "nav") return page.nav();
    if (name == "content") return page.content();
    if (name == "charts") return page.charts();
    if (name == "report") return embeddedReport(report, light);
    if (name == "samples") return std::string(samples);
    if (name == "css") return std::string(asset::css);
    if (name == "chartViews") return std::string(asset::chartViews);
    if (name == "js") return std::string(asset::js);
    if (name == "chartjs") return std::string(asset::chartjs);
    if (name == "chartLicence") return std::string(asset::chartLicence);
    return {};
  });
}

}  // namespace

Result<std::string> htmlReport(const Report& report) {
  const bool light = blocksIn(report) > mostBlocks;
  return filled(WebPage(report), report,
                light
                    ? "The report in this page leaves out the raw timing samples and single wrong elements; "
                      "the JSON report has them."
                    : "The whole report, raw timing samples included, is in this page.",
                light);
}

std::string htmlFigure(const Report& report, const FigureInfo& info) {
  return filled(WebPage(report, info), report,
                "This page shows one figure of the run. The report in it leaves out the raw timing samples.",
                true);
}

}  // namespace wb
