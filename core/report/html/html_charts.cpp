// SPDX-License-Identifier: Apache-2.0
#include "core/report/html/html_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/charts/scale.h"
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

/// The class that colours a key: the number of those with a colour of their own, or its tone.
std::string keyClass(const std::vector<StackKey>& keys, std::size_t key) {
  if (keys[key].tone != Tone::neutral) return "swatch " + toneClass(keys[key].tone);
  std::size_t number = 0;
  for (std::size_t k = 0; k < key; ++k) number += keys[k].tone == Tone::neutral ? 1 : 0;
  return fmt::format("swatch s{}", number % 8);
}

}  // namespace

namespace {
/// What stands beside a bar as its interval; "" where none is known.
std::string intervalOf(const BarChart& chart, const Bar& bar) {
  const bool isKnown = !chart.linear && bar.low > 0 && bar.low < bar.high;
  return isKnown ? intervalText(bar.low, bar.high) : std::string();
}
}  // namespace

std::string htmlChart(const BarChart& chart) {
  std::string html = sectionStart(chart.id, chart.title, "chart");
  if (!chart.empty.empty()) return emptySection(std::move(html), chart.empty);
  html += canvas(chart.title + ": " + chart.axis);
  html +=
      "<details><summary>As a table</summary><table><thead><tr><th scope=\"col\">Bar</th><th scope=\"col\" "
      "class=\"num\">Value</th>";
  if (!chart.linear) html += "<th scope=\"col\" class=\"num\">95 % interval</th>";
  html += "</tr></thead><tbody>\n";
  for (const Bar& bar : chart.bars) {
    html += fmt::format("<tr><td>{}</td><td class=\"num {}\">{}</td>", escapeHtml(bar.label),
                        toneClass(bar.tone), escapeHtml(bar.text));
    if (!chart.linear) html += fmt::format("<td class=\"num\">{}</td>", escapeHtml(intervalOf(chart, bar)));
    html += "</tr>\n";
  }
  return html + "</tbody></table></details></div>\n</section>\n";
}

std::string htmlChart(const PlaneChart& chart) {
  std::string html = sectionStart(chart.id, chart.title, "chart");
  if (!chart.empty.empty()) return emptySection(std::move(html), chart.empty);
  html += canvas(fmt::format("{}: {} against {}", chart.title, chart.y.title, chart.x.title));
  html += "<details><summary>In words</summary>\n<ul>\n";
  for (const ChartPoint& point : chart.points) {
    if (point.label.empty()) continue;  // a crowd is told by its lines
    std::string words = point.detail.empty() ? point.label : point.detail;
    for (std::size_t at = words.find('\n'); at != std::string::npos; at = words.find('\n'))
      words.replace(at, 1, "; ");
    html += "<li>" + escapeHtml(words) + "</li>\n";
  }
  for (const ChartLine& line : chart.lines)
    if (!line.label.empty()) html += "<li>" + escapeHtml("Line: " + line.label) + "</li>\n";
  return html + "</ul></details></div>\n</section>\n";
}

std::string htmlChart(const StackChart& chart) {
  std::string html = sectionStart(chart.id, chart.title, "stacks");
  if (chart.rows.empty()) return emptySection(std::move(html), chart.empty);
  for (const StackRow& row : chart.rows) {
    html +=
        fmt::format("<div class=\"lane\"><span class=\"name\" title=\"{}\">{}</span><div class=\"track\">",
                    escapeHtml(row.detail), escapeHtml(row.label));
    double all = 0;
    for (std::size_t k = 0; k < row.shares.size(); ++k) {
      all += row.shares[k];
      if (row.shares[k] <= 0) continue;
      html += fmt::format("<div class=\"{}\" style=\"width:{:.4g}%\" title=\"{} {}\"></div>",
                          keyClass(chart.keys, k), 100 * row.shares[k], escapeHtml(chart.keys[k].label),
                          formatPercent(row.shares[k]));
    }
    html += fmt::format("</div><span class=\"sum\">{}</span></div>\n", formatPercent(all));
  }
  html += "<ul class=\"keys\">\n";
  for (std::size_t k = 0; k < chart.keys.size(); ++k)
    html += fmt::format("<li><span class=\"{}\"></span>{} <b>{}</b>{}</li>\n", keyClass(chart.keys, k),
                        escapeHtml(chart.keys[k].label), formatPercent(chart.rows.front().shares[k]),
                        chart.keys[k].meaning.empty() ? "" : " " + escapeHtml(chart.keys[k].meaning));
  return html + "</ul></div>\n</section>\n";
}

namespace {

// The size of a box of a flow and the space between two, in units of the picture.
constexpr double boxWidth = 130, boxHeight = 64, gapWidth = 128, gapHeight = 26;

struct Box {
  double left = 0, top = 0, width = boxWidth, height = 0;
  [[nodiscard]] double middle() const { return top + height / 2; }
};

Box boxOf(const FlowNode& node) {
  return {8 + node.column * (boxWidth + gapWidth), 8 + node.row * (boxHeight + gapHeight), boxWidth,
          node.rows * boxHeight + (node.rows - 1) * gapHeight};
}

/// The link runs in the gap between two boxes, level with the smaller one: what goes right above what comes
/// left.
std::string linkHtml(const FlowChart& chart, const FlowLink& link) {
  const bool forth = chart.nodes[link.from].column < chart.nodes[link.to].column;
  const Box left = boxOf(chart.nodes[forth ? link.from : link.to]);
  const Box right = boxOf(chart.nodes[forth ? link.to : link.from]);
  const double y = (left.height < right.height ? left : right).middle() + (forth ? -14 : 14);
  const double from = left.left + left.width + 3, to = right.left - 3;
  const double width = 1.2 + (std::isnan(link.share) ? 0 : 5 * link.share);
  const double tip = forth ? to : from, back = forth ? -8 : 8;
  std::string html = fmt::format(
      "<g class=\"{}\"><title>{}</title><line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
      "stroke-width=\"{:.1f}\"></line><polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} "
      "{:.1f},{:.1f}\"></polygon>",
      link.text.empty() ? "link none" : "link", escapeHtml(link.detail), from, y, to, y, width, tip, y,
      tip + back, y - 5, tip + back, y + 5);
  html += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", (from + to) / 2,
                      forth ? y - 6 : y + 15, escapeHtml(link.text));
  return html;
}

}  // namespace

std::string htmlChart(const FlowChart& chart) {
  std::string html = sectionStart(chart.id, chart.title, "flow");
  if (chart.nodes.empty()) return emptySection(std::move(html), chart.empty);
  double width = 0, height = 0;
  for (const FlowNode& node : chart.nodes) {
    const Box box = boxOf(node);
    width = std::max(width, box.left + box.width + 8);
    height = std::max(height, box.top + box.height + 8);
  }
  html += fmt::format(
      "<div class=\"scroll-x\"><svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {:.0f} {:.0f}\">\n",
      escapeHtml(chart.title), width, height);
  for (const FlowLink& link : chart.links) html += linkHtml(chart, link);
  for (const FlowNode& node : chart.nodes) {
    const Box box = boxOf(node);
    html += fmt::format(
        "<g class=\"box\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" "
        "rx=\"6\"></rect>",
        escapeHtml(node.detail.empty() ? node.title : node.detail), box.left, box.top, box.width, box.height);
    if (!std::isnan(node.share))
      html +=
          fmt::format("<rect class=\"level\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"4\"></rect>",
                      box.left + 10, box.top + box.height - 12, (box.width - 20) * node.share);
    const double y = box.middle() - (node.text.empty() ? -4 : 6);
    html += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", box.left + box.width / 2,
                        y, escapeHtml(node.title));
    html += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n", box.left + box.width / 2, y + 17,
                        escapeHtml(node.text));
  }
  html += "</svg></div>";
  if (!chart.note.empty()) html += "<p class=\"note\">" + escapeHtml(chart.note) + "</p>";
  return html + "</div>\n</section>\n";
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

namespace {

/// How many marks an axis of the page has at most.
constexpr int mostTicks = 8;

/// The scale and the marks that the window draws too.
json scaleJson(const Scale& scale, std::string_view unit) {
  json ticks = json::array();
  for (const Tick& tick : ticksOf(scale, unit, mostTicks))
    ticks.push_back(json::array({tick.value, tick.text}));
  return {{"low", scale.low},
          {"high", scale.high},
          {"logarithmic", scale.logarithmic},
          {"ticks", std::move(ticks)}};
}

}  // namespace

json pageJson(const BarChart& chart) {
  json bars = json::array();
  const Scale scale = scaleOf(chart);
  for (const Bar& bar : chart.bars) {
    const bool isKnown = bar.low > 0 && bar.low < bar.high;
    const Clipped cut = isKnown ? clipped(bar.low, bar.high, scale) : Clipped{};
    bars.push_back({{"label", bar.label},
                    {"value", bar.value},
                    {"low", bar.low},
                    {"high", bar.high},
                    {"cutLow", cut.low},
                    {"cutHigh", cut.high},
                    {"text", bar.text},
                    {"interval", intervalOf(chart, bar)},
                    {"tone", static_cast<int>(bar.tone)},
                    {"rowId", bar.rowId}});
  }
  return {{"id", chart.id},
          {"axis", chart.axis},
          {"base", chart.base},
          {"linear", chart.linear},
          {"scale", scaleJson(scale, chart.linear ? "%" : "×")},
          {"bars", std::move(bars)}};
}

json pageJson(const PlaneChart& chart) {
  const auto [scaleX, scaleY] = scalesOf(chart);
  json points = json::array(), lines = json::array(), arrows = json::array();
  for (const ChartPoint& point : chart.points) {
    const Clipped cut = clipped(point.low, point.high, scaleY);
    const bool hasInterval = point.low < point.high;
    points.push_back({{"x", point.x},
                      {"y", point.y},
                      {"low", hasInterval ? point.low : point.y},
                      {"high", hasInterval ? point.high : point.y},
                      {"cutLow", hasInterval && cut.low},
                      {"cutHigh", hasInterval && cut.high},
                      {"label", point.label},
                      {"detail", point.detail},
                      {"series", point.series},
                      {"tone", static_cast<int>(point.tone)}});
  }
  for (const ChartLine& line : chart.lines) {
    json pairs = json::array();
    for (const auto& [x, y] : line.points) pairs.push_back(json::array({x, y}));
    lines.push_back({{"label", line.label},
                     {"dashed", line.dashed},
                     {"series", line.series},
                     {"points", std::move(pairs)}});
  }
  for (const ChartArrow& arrow : chart.arrows) arrows.push_back(json::array({arrow.from, arrow.to}));
  return {{"id", chart.id},
          {"x", {{"title", chart.x.title}, {"scale", scaleJson(scaleX, chart.x.unit)}}},
          {"y", {{"title", chart.y.title}, {"scale", scaleJson(scaleY, chart.y.unit)}}},
          {"points", std::move(points)},
          {"lines", std::move(lines)},
          {"arrows", std::move(arrows)}};
}

}  // namespace wb
