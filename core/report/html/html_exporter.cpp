// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/figures/cells.h"
#include "core/figures/figures.h"
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

Report withoutBlocks(Report report) {
  for (auto& shared : report.kernels) {
    KernelReport& kernel = shared.write();
    for (std::size_t i = 0; i < kernel.cases.size(); ++i)
      if (kernel.cases[i].timing) kernel.cases.write(i).timing->blocks.clear();
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
  json whole = toJson(light ? withoutBlocks(report) : report);
  for (json& kernel : whole["kernels"]) prune(kernel["cases"]);
  return scriptSafe(dump(whole));
}

/// What the line at the top calls a figure; "" for one that is found beside another.
std::string_view navTitle(std::string_view id, std::string_view title) {
  if (id == "roofline-table" || id == "kernels") return {};
  if (id == "hotlines") return "Hot lines";
  if (id == "instructions") return "Machine code";
  if (id == "timeline") return "Timeline";
  if (id == "stalls") return "Stalls";
  if (id == "speedup") return "Speedup";
  return title;
}

/// The parts of the page, put together figure by figure.
class Page {
 public:
  explicit Page(const Report& report) : report_(report) {
    data_["tables"] = json::array();
    data_["charts"] = json::array();
    link_ = [this](const Place& place) { return sourceLink(report_, place); };
    for (const FigureInfo& info : figures()) {
      // What a run depends on is looked up, not read first.
      if (info.id == "environment" || !wanted(info, report)) continue;
      std::visit([this](const auto& figure) { add(figure); }, info.make(report_));
    }
    addSection("source", "Source", htmlSources(report_));
    add(environmentTable(report_));
    addSection("log", "Log", htmlLog(report_));
  }

  [[nodiscard]] std::string content() const { return content_; }
  [[nodiscard]] std::string nav() const { return nav_; }
  [[nodiscard]] std::string data() const { return scriptSafe(dump(data_)); }

 private:
  void addSection(std::string_view id, std::string_view title, const std::string& html) {
    if (html.empty()) return;
    content_ += html;
    if (const std::string_view shown = navTitle(id, title); !shown.empty())
      nav_ += fmt::format("<a href=\"#{}\">{}</a>", escapeHtml(id), escapeHtml(shown));
  }
  void add(const Cards& cards) { content_ += htmlCards(cards); }
  void add(const BarChart& chart) {
    addSection(chart.id, chart.title, htmlChart(chart));
    if (!chart.bars.empty()) data_["charts"].push_back(pageJson(chart));
  }
  void add(const PlaneChart& chart) {
    addSection(chart.id, chart.title, htmlChart(chart));
    if (!chart.points.empty()) data_["charts"].push_back(pageJson(chart));
  }
  void add(const TimeChart& chart) { addSection(chart.id, chart.title, htmlChart(chart)); }
  void add(const Table& full) {
    const Table table = withoutEmptyColumns(full);
    // One kernel's row repeats the cards, one operator's row too; no problems are no section.
    if (table.rows.empty() && table.id != "cases") return;
    if (table.id == "operators" && table.rows.size() < 2) return;
    addSection(table.id, table.title, htmlTable(table, link_));
    if (!table.rows.empty() && table.id != "environment") data_["tables"].push_back(pageJson(table, link_));
  }

  const Report& report_;
  Link link_;
  json data_;
  std::string content_, nav_;
};

std::string eyebrow(const Report& report) {
  std::string text = report.target.deviceName.empty() ? report.device : report.target.deviceName;
  if (!report.target.torch.empty()) text += " · torch " + report.target.torch;
  if (!report.suite.empty()) text += " · suite " + report.suite;
  if (!report.startedAt.empty()) text += " · " + report.startedAt;
  return text;
}

}  // namespace

Result<std::string> htmlReport(const Report& report) {
  const Page page(report);
  const bool light = blocksIn(report) > mostBlocks;
  return fillTemplate(asset::pageTemplate, [&](std::string_view name) -> std::string {
    if (name == "title") return escapeHtml(reportTitle(report));
    if (name == "eyebrow") return escapeHtml(eyebrow(report));
    if (name == "summary") return escapeHtml(progressLine(report));
    if (name == "version") return WB_VERSION;
    if (name == "nav") return page.nav();
    if (name == "content") return page.content();
    if (name == "figures") return page.data();
    if (name == "report") return embeddedReport(report, light);
    if (name == "samples")
      return light ? "The report in this page leaves out the raw timing samples; the JSON report has them."
                   : "The whole report, raw timing samples included, is in this page.";
    if (name == "css") return std::string(asset::css);
    if (name == "chartViews") return std::string(asset::chartViews);
    if (name == "js") return std::string(asset::js);
    if (name == "chartjs") return std::string(asset::chartjs);
    if (name == "chartLicence") return std::string(asset::chartLicence);
    return {};
  });
}

}  // namespace wb
