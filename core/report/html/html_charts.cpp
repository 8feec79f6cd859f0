// SPDX-License-Identifier: Apache-2.0
#include "core/report/html/html_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/report/html/html_figures.h"
#include "core/report/html/html_text.h"

namespace wb {

namespace {

using nlohmann::json;

/// More spans than this in one lane cannot be told apart; the JSON report and the trace have them all.
constexpr std::size_t mostSpans = 2000;

std::string sectionStart(const std::string& id, const std::string& title, std::string_view panel) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<div class=\"head\"><h2 "
      "id=\"{0}-title\">{1}</h2></div>\n<div class=\"panel {2}\">",
      escapeHtml(id), escapeHtml(title), panel);
}

std::string emptySection(std::string start, const std::string& why) {
  return start + "<p class=\"empty\">" + escapeHtml(why) + "</p></div>\n</section>\n";
}

std::string canvas(const std::string& label) {
  return "<div class=\"scroll\"><div class=\"plot\"><canvas role=\"img\" aria-label=\"" + escapeHtml(label) +
         "\"></canvas></div></div>\n";
}

}  // namespace

std::string htmlChart(const BarChart& chart) {
  std::string html = sectionStart(chart.id, chart.title, "chart");
  if (chart.bars.empty()) return emptySection(std::move(html), chart.empty);
  html += canvas(chart.title + ": " + chart.axis);
  html +=
      "<details><summary>As a table</summary><table><thead><tr><th scope=\"col\">Bar</th><th scope=\"col\" "
      "class=\"num\">Value</th>";
  if (!chart.linear) html += "<th scope=\"col\" class=\"num\">95 % interval</th>";
  html += "</tr></thead><tbody>\n";
  for (const Bar& bar : chart.bars) {
    html += fmt::format("<tr><td>{}</td><td class=\"num {}\">{}</td>", escapeHtml(bar.label),
                        toneClass(bar.tone), escapeHtml(bar.text));
    if (!chart.linear)
      html += fmt::format("<td class=\"num\">{}</td>", escapeHtml(intervalText(bar.low, bar.high)));
    html += "</tr>\n";
  }
  return html + "</tbody></table></details></div>\n</section>\n";
}

std::string htmlChart(const PlaneChart& chart) {
  std::string html = sectionStart(chart.id, chart.title, "chart");
  if (chart.points.empty()) return emptySection(std::move(html), chart.empty);
  html += canvas(fmt::format("{}: {} against {}", chart.title, chart.yAxis, chart.xAxis));
  html += "<details><summary>In words</summary>\n<ul>\n";
  for (const ChartPoint& point : chart.points) {
    std::string words = point.detail.empty() ? point.label : point.detail;
    for (std::size_t at = words.find('\n'); at != std::string::npos; at = words.find('\n'))
      words.replace(at, 1, "; ");
    html += "<li>" + escapeHtml(words) + "</li>\n";
  }
  for (const ChartLine& line : chart.lines) html += "<li>" + escapeHtml("Roof: " + line.label) + "</li>\n";
  return html + "</ul></details></div>\n</section>\n";
}

std::string htmlChart(const TimeChart& chart) {
  if (chart.lanes.empty()) return emptySection(sectionStart(chart.id, chart.title, "chart"), chart.empty);
  double end = 1e-9;
  for (const Lane& lane : chart.lanes)
    for (const Span& span : lane.spans) end = std::max(end, span.start + span.length);
  std::string html = sectionStart(chart.id, chart.title, "timeline");
  for (const Lane& lane : chart.lanes) {
    double busy = 0;
    html +=
        "<div class=\"lane\"><span class=\"name\">" + escapeHtml(lane.label) + "</span><div class=\"track\">";
    for (std::size_t s = 0; s < lane.spans.size(); ++s) {
      const Span& span = lane.spans[s];
      busy += span.length;
      if (s >= mostSpans) continue;
      const double width = 100 * span.length / end;
      // A name that has no room would only be a smear.
      html += fmt::format("<div class=\"span {}\" style=\"left:{:.4g}%;width:{:.4g}%\" title=\"{}\">{}</div>",
                          toneClass(span.tone), 100 * span.start / end, width, escapeHtml(span.detail),
                          width > 6 ? escapeHtml(span.label) : "");
    }
    html += fmt::format("</div><span class=\"sum\">{} · {}</span></div>\n",
                        formatCount(static_cast<std::int64_t>(lane.spans.size())), formatSeconds(busy));
  }
  html += "<div class=\"lane\"><span></span><div class=\"track ticks\">";
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0})
    html += fmt::format("<span style=\"left:{}%\">{}</span>", 100 * part, formatSeconds(part * end));
  return html + "</div><span></span></div></div>\n</section>\n";
}

json pageJson(const BarChart& chart) {
  json bars = json::array();
  for (const Bar& bar : chart.bars)
    bars.push_back({{"label", bar.label},
                    {"value", bar.value},
                    {"low", bar.low},
                    {"high", bar.high},
                    {"text", bar.text},
                    {"interval", chart.linear ? "" : intervalText(bar.low, bar.high)},
                    {"tone", static_cast<int>(bar.tone)},
                    {"rowId", bar.rowId}});
  return {{"id", chart.id},
          {"axis", chart.axis},
          {"base", chart.base},
          {"linear", chart.linear},
          {"bars", std::move(bars)}};
}

json pageJson(const PlaneChart& chart) {
  json points = json::array(), lines = json::array();
  for (const ChartPoint& point : chart.points)
    points.push_back({{"x", point.x},
                      {"y", point.y},
                      {"label", point.label},
                      {"detail", point.detail},
                      {"tone", static_cast<int>(point.tone)}});
  for (const ChartLine& line : chart.lines) {
    json pairs = json::array();
    for (const auto& [x, y] : line.points) pairs.push_back(json::array({x, y}));
    lines.push_back({{"label", line.label}, {"dashed", line.dashed}, {"points", std::move(pairs)}});
  }
  return {{"id", chart.id},
          {"xAxis", chart.xAxis},
          {"yAxis", chart.yAxis},
          {"points", std::move(points)},
          {"lines", std::move(lines)}};
}

}  // namespace wb
