// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

Tone toneOf(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kernel:
      return Tone::good;
    case ActivityKind::copy:
      return Tone::warning;
    case ActivityKind::fill:
      return Tone::neutral;
    case ActivityKind::api:
      return Tone::muted;
  }
  return Tone::neutral;
}

Span spanOf(const Activity& activity) {
  Span span;
  span.label = activity.name;
  span.start = activity.start;
  span.length = activity.seconds;
  span.detail = fmt::format("{}\n{} from {} on", activity.name, formatSeconds(activity.seconds),
                            formatSeconds(activity.start));
  if (activity.bytes > 0) {
    const auto bytes = static_cast<double>(activity.bytes);
    span.detail += "\n" + formatBytes(bytes);
    if (activity.seconds > 0) span.detail += ", " + formatScaled(bytes / activity.seconds, "B/s");
  }
  span.tone = toneOf(activity.kind);
  return span;
}

/// The time in which nothing ran on any stream of the device, between the first and the last thing that did.
double idleSeconds(const SideProfile& side) {
  std::vector<std::pair<double, double>> busy;
  for (const Activity& activity : side.activities)
    if (activity.kind != ActivityKind::api)
      busy.emplace_back(activity.start, activity.start + activity.seconds);
  std::sort(busy.begin(), busy.end());
  double idle = 0;
  for (std::size_t i = 1; i < busy.size(); ++i) {
    if (busy[i].first > busy[i - 1].second) idle += busy[i].first - busy[i - 1].second;
    busy[i].second = std::max(busy[i].second, busy[i - 1].second);
  }
  return idle;
}

void addLanes(TimeChart& chart, const SideProfile& side, Side which) {
  Lane host{fmt::format("{} · host", name(which)), {}, which};
  std::map<std::uint32_t, Lane> streams;
  for (const Activity& activity : side.activities) {
    if (activity.kind == ActivityKind::api) {
      host.spans.push_back(spanOf(activity));
      continue;
    }
    Lane& lane = streams[activity.stream];
    lane.label = fmt::format("{} · stream {}", name(which), activity.stream);
    lane.owner = which;
    lane.spans.push_back(spanOf(activity));
  }
  if (!host.spans.empty()) chart.lanes.push_back(std::move(host));
  for (auto& [stream, lane] : streams) chart.lanes.push_back(std::move(lane));
}

}  // namespace

TimeChart timelineChart(const Report& report, OneCase only) {
  TimeChart chart;
  chart.id = "timeline";
  chart.title = fmt::format("Timeline of one call{}", warmedUp);
  for (const ProfiledCase& one : casesWithData(report, only)) {
    addLanes(chart, one.profile->candidate, Side::candidate);
    addLanes(chart, one.profile->reference, Side::reference);
    if (chart.lanes.empty()) continue;
    chart.title += " · " + caseTitle(report, one.at);
    for (const Side side : {Side::candidate, Side::reference})
      if (const double idle = idleSeconds(one.side(side)); idle > 0)
        chart.title += fmt::format(" · {} idle {}", name(side), formatSeconds(idle));
    break;
  }
  if (chart.lanes.empty()) chart.empty = whyEmpty(report, Need::timeline, only);
  return chart;
}

}  // namespace wb
