// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/service/http/server/request_record.h"
#include "core/service/http_message.h"
#include "core/service/service.h"

namespace wb {

/// Counts of requests for the metrics; functions may be called from any thread.
class RequestCounts {
 public:
  void take(const RequestRecord& record);
  /// How many answers there were by status, and in how many seconds by upper bound.
  struct Values {
    std::map<int, std::uint64_t> byStatus;
    std::vector<std::uint64_t> byBound;
    std::uint64_t all = 0, bytes = 0;
    double seconds = 0;
  };
  [[nodiscard]] Values values() const;
  /// The upper bounds of seconds, less the last one, which is infinite.
  [[nodiscard]] static const std::vector<double>& bounds();

 private:
  mutable std::mutex mutex_;
  Values values_;
};

/// A worker of this process that somebody has stopped (SIGSTOP): it answers nobody before it goes on. At rest
/// a worker says nothing, so its silence tells nothing.
struct StoppedWorker {
  pid_t process = 0;
  /// The device for which it was started: "cuda:0".
  std::string device;
};
/// Those that are stopped now. What the service itself stops while it measures is not among them: processes
/// of kernels, and workers that wait inside walls.
[[nodiscard]] std::vector<StoppedWorker> stoppedWorkers();

/// What is measured, in Prometheus' text format.
[[nodiscard]] std::string metricsText(const ServiceCounts& counts, const std::vector<DeviceState>& devices,
                                      const std::vector<StoppedWorker>& stopped,
                                      const RequestCounts::Values& requests, std::size_t connections);

/// One thing that was looked at.
struct HealthLook {
  std::string what;
  bool isGood = true;
  std::string found;
};
/// Looks at what the service needs: workers that start and are not stopped, a folder that can be written,
/// room on its disk.
[[nodiscard]] std::vector<HealthLook> lookAtHealth(const Service& service,
                                                   const std::filesystem::path& folder);

/// What the pages show and count.
struct PagesContext {
  /// Must live longer than the routes.
  Service& service;
  std::filesystem::path folder;
  RequestCounts& requests;
  std::function<std::size_t()> connections;
  /// Where the compilers' preparation is (CacheUpkeep::compilers()), which nobody needs to be well; may be
  /// absent.
  std::function<std::string()> compilers{};
  /// Whether the service is about to end and takes no more runs; may be absent.
  std::function<bool()> isDraining{};
};
/// GET / (the page for a browser), its script and style, /v1/health, /metrics.
[[nodiscard]] HttpRoutes pageRoutes(const PagesContext& context);

/// The description of all routes that are an interface, by OpenAPI 3.1.
[[nodiscard]] nlohmann::ordered_json openApi(const HttpRoutes& routes);
/// GET /openapi.json and /docs for these routes.
[[nodiscard]] HttpRoutes documentRoutes(const HttpRoutes& routes);

}  // namespace wb
