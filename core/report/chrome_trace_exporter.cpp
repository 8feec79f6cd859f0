// SPDX-License-Identifier: Apache-2.0
#include "core/report/chrome_trace_exporter.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/figures/cells.h"
#include "core/figures/profile/profile_facts.h"
#include "core/model/json/json_codec.h"

namespace wb {

namespace {

using nlohmann::json;

/// The host's thread has a number that no stream has; streams keep their numbers.
constexpr int hostThread = 0;

json named(std::string_view what, int process, int thread, const std::string& value) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", value}}}};
}

int threadOf(const Activity& activity) {
  return activity.kind == ActivityKind::api ? hostThread : static_cast<int>(activity.stream) + 1;
}

/// How the i-th kernel of the call was launched.
json launchArguments(const SideProfile& side, std::size_t i) {
  if (i >= side.launches.size()) return json::object();
  const Launch& launch = side.launches[i];
  return {{"grid", launch.grid},
          {"block", launch.block},
          {"registers per thread", launch.registers},
          {"shared memory", launch.staticShared + launch.dynamicShared},
          {"function", launch.function}};
}

void addSide(json& events, const SideProfile& side, int process, const std::string& title) {
  if (side.activities.empty()) return;
  events.push_back(named("process_name", process, 0, title));
  std::set<int> threads;
  std::size_t kernels = 0;
  for (const Activity& activity : side.activities) {
    const int thread = threadOf(activity);
    if (threads.insert(thread).second)
      events.push_back(
          named("thread_name", process, thread,
                thread == hostThread ? std::string("host") : fmt::format("stream {}", activity.stream)));
    json arguments =
        activity.kind == ActivityKind::kernel ? launchArguments(side, kernels++) : json::object();
    if (activity.bytes > 0) arguments["bytes"] = activity.bytes;
    events.push_back({{"ph", "X"},
                      {"name", activity.name},
                      {"cat", name(activity.kind)},
                      {"pid", process},
                      {"tid", thread},
                      {"ts", activity.start * 1e6},
                      {"dur", activity.seconds * 1e6},
                      {"args", std::move(arguments)}});
  }
}

}  // namespace

Result<std::string> chromeTrace(const Report& report) {
  json events = json::array();
  int process = 0;
  for (const ProfiledCase& one : casesWithProfile(report, {}))
    for (const Side side : {Side::candidate, Side::reference})
      addSide(events, one.side(side), ++process,
              fmt::format("{} · {}", caseTitle(report, one.at), name(side)));
  if (events.empty())
    return Error{Stage::report, "There is no timeline to write: " + whyEmpty(report, Need::timeline, {}),
                 "profile a kernel on a GPU: warpbench profile KERNEL --trace FILE"};
  const Target& target = report.target;
  return dump(json{{"traceEvents", std::move(events)},
                   {"displayTimeUnit", "ns"},
                   {"otherData",
                    {{"program", std::string("warpbench ") + WB_VERSION},
                     {"device", target.deviceName},
                     {"driver", target.driver},
                     {"started", report.startedAt}}}}) +
         "\n";
}

}  // namespace wb
