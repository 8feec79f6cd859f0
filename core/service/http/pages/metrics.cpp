// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/service/http/pages/pages.h"

namespace wb {
namespace {

constexpr std::string_view prefix = "warpbench_";

struct Text {
  std::string text;

  void head(std::string_view name, std::string_view type, std::string_view help) {
    text += fmt::format("# HELP {0}{1} {2}\n# TYPE {0}{1} {3}\n", prefix, name, help, type);
  }
  template <class Number>
  void value(std::string_view name, std::string_view labels, Number number) {
    text += fmt::format("{}{}{} {}\n", prefix, name, labels, number);
  }
  template <class Number>
  void one(std::string_view name, std::string_view type, std::string_view help, Number number) {
    head(name, type, help);
    value(name, "", number);
  }
};

}  // namespace

const std::vector<double>& RequestCounts::bounds() {
  static const std::vector<double> bounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                          0.25,  0.5,    1,     2.5,  5,     10,   30};
  return bounds;
}

void RequestCounts::take(const RequestRecord& record) {
  const auto& upper = bounds();
  const auto at = static_cast<std::size_t>(std::ranges::lower_bound(upper, record.seconds) - upper.begin());
  const std::lock_guard lock(mutex_);
  values_.byBound.resize(upper.size() + 1);
  ++values_.byStatus[record.status];
  ++values_.byBound[at];
  ++values_.all;
  values_.bytes += record.bytes;
  values_.seconds += record.seconds;
}

RequestCounts::Values RequestCounts::values() const {
  const std::lock_guard lock(mutex_);
  Values values = values_;
  values.byBound.resize(bounds().size() + 1);
  return values;
}

std::string metricsText(const ServiceCounts& counts, const std::vector<DeviceState>& devices,
                        const std::vector<StoppedWorker>& stopped, const RequestCounts::Values& requests,
                        std::size_t connections) {
  Text text;
  text.head("runs_total", "counter", "Runs that have ended, by their end, and those that were refused.");
  text.value("runs_total", "{state=\"finished\"}", counts.finished);
  text.value("runs_total", "{state=\"cancelled\"}", counts.cancelled);
  text.value("runs_total", "{state=\"expired\"}", counts.expired);
  text.value("runs_total", "{state=\"failed\"}", counts.failed);
  text.value("runs_total", "{state=\"refused\"}", counts.refused);
  text.one("runs_accepted_total", "counter", "Runs that were accepted.", counts.accepted);
  text.one("runs_queued", "gauge", "Runs that wait.", counts.queued);
  text.one("runs_running", "gauge", "Runs that are on a device.", counts.running);
  text.one("run_wait_seconds_total", "counter", "Seconds that runs have waited, in sum.", counts.waited);
  text.one("run_seconds_total", "counter", "Seconds that runs have run, in sum.", counts.ran);
  text.one("workers_lost_total", "counter", "Workers that were lost, by all runs.", counts.workersLost);
  text.one("uptime_seconds", "gauge", "Seconds since the service started.", counts.uptimeSeconds);
  text.head("device_busy", "gauge", "1 while a run is on the device.");
  for (const DeviceState& device : devices)
    text.value("device_busy", fmt::format("{{device=\"{}\"}}", device.device), device.runs.empty() ? 0 : 1);
  text.head("device_up", "gauge", "0 where no worker starts on the device, or one of them is stopped.");
  for (const DeviceState& device : devices) {
    const bool isStopped = std::ranges::find(stopped, device.device, &StoppedWorker::device) != stopped.end();
    text.value("device_up", fmt::format("{{device=\"{}\"}}", device.device),
               device.worker.state == WorkerStatus::State::failed || isStopped ? 0 : 1);
  }
  text.one("http_connections", "gauge", "Open connections.", connections);
  text.head("http_requests_total", "counter", "Answered requests by status.");
  for (const auto& [status, count] : requests.byStatus)
    text.value("http_requests_total", fmt::format("{{status=\"{}\"}}", status), count);
  text.one("http_response_bytes_total", "counter", "Bytes of answers.", requests.bytes);
  text.head("http_request_seconds", "histogram", "Seconds from a request's head to the end of its answer.");
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < requests.byBound.size(); ++i) {
    sum += requests.byBound[i];
    const bool isLast = i == RequestCounts::bounds().size();
    text.value("http_request_seconds_bucket",
               isLast ? "{le=\"+Inf\"}" : fmt::format("{{le=\"{}\"}}", RequestCounts::bounds()[i]), sum);
  }
  text.value("http_request_seconds_sum", "", requests.seconds);
  text.value("http_request_seconds_count", "", requests.all);
  return text.text;
}

}  // namespace wb
