// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/jobs/evaluation/evaluation_request.h"
#include "core/jobs/job_request.h"
#include "core/service/evaluation/evaluation_answer.h"
#include "core/service/idempotency_key.h"
#include "core/service/service.h"

namespace wb {

/// An answer of the evaluation server.
struct EvaluationReply {
  int status = 200;
  nlohmann::ordered_json body;
  /// After how many seconds another try may be worth it; 0 where it is not.
  double retryAfterSeconds = 0;
};

/// Who wants a request run.
struct EvaluationCaller {
  /// Submission::client.
  std::string client;
  /// Says whether anybody still waits for the answer.
  std::function<bool()> isWanted;
  /// The key of a request that may come again, with which it is the same run; "" means none.
  IdempotencyKey key{};
};

/// The evaluation server's own view of a service: it runs requests and waits for them, and keeps its counts.
/// All functions may be called from any thread.
class EvaluationServer {
 public:
  EvaluationServer(Service& service, EvaluationHost host) : service_(service), host_(std::move(host)) {}

  /// Runs a request and waits for its end, or until its timeout has passed, or nobody wants it any more.
  [[nodiscard]] EvaluationReply run(const EvaluationRequest& request, const EvaluationCaller& caller);

  // The bodies of /health, /stats and /job/{id}; the last is nothing for an unknown run, and for one that is
  // not the client's, unless nobody in particular asks.
  [[nodiscard]] nlohmann::ordered_json health() const;
  [[nodiscard]] nlohmann::ordered_json stats() const;
  [[nodiscard]] std::optional<nlohmann::ordered_json> job(const std::string& id,
                                                          const std::optional<std::string>& client) const;
  /// From now on job() knows nothing of what ended over five minutes ago. The service keeps it, for others
  /// may want it.
  void cleanUp();
  [[nodiscard]] const EvaluationHost& host() const { return host_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Seconds that something took, each time.
  struct Durations {
    std::uint64_t count = 0, good = 0;
    double sum = 0, least = 0, most = 0;
    void add(double seconds, bool isGood);
    [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  };
  /// A run and what is known of it at its end, or when nobody waits any longer.
  struct Ended {
    std::string id;
    std::optional<RunStatus> status;
    std::shared_ptr<const Report> report;
  };
  [[nodiscard]] std::string deviceFor() const;
  /// Runs one job within so many seconds; an answer where it was not accepted.
  std::variant<Ended, EvaluationReply> perform(const JobRequest& wanted, double seconds,
                                               const EvaluationCaller& caller);
  [[nodiscard]] EvaluationReply refusal(int status, const std::string& error,
                                        const std::string& id = {}) const;
  void count(const Report& report, double seconds, bool isAnswered);
  [[nodiscard]] bool isForgotten(const RunStatus& status) const;
  [[nodiscard]] nlohmann::ordered_json jobStats() const;
  [[nodiscard]] nlohmann::ordered_json compilationMetrics() const;
  [[nodiscard]] nlohmann::ordered_json profilingMetrics() const;
  [[nodiscard]] nlohmann::ordered_json gpuUtilization(const ServiceCounts& counts) const;
  [[nodiscard]] nlohmann::ordered_json throughput(const ServiceCounts& counts) const;

  Service& service_;
  EvaluationHost host_;
  mutable std::mutex mutex_;
  double forgottenBefore_ = 0;
  Durations compilations_, profilings_, requests_, waits_;
  std::uint64_t cacheHits_ = 0, correct_ = 0;
  std::map<std::string, double> deviceSeconds_;
  /// When requests of the last minutes were answered.
  std::vector<Clock::time_point> answeredAt_;
};

}  // namespace wb
