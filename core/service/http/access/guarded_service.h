// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/service/http/access/tokens.h"
#include "core/service/service.h"

namespace wb {

/// What holds for every job that comes from outside, whichever room hands it in.
struct SubmissionRules {
  /// Every job runs inside walls, but for those that compute-sanitizer watches.
  bool sandbox = false;
  /// Every job is judged strictly, or those that can be: hot lines cannot be told then.
  bool strict = false, strictAlways = false;
  /// Limits by the client's name.
  std::map<std::string, ClientLimits> limits;
};

/// The service as clients reach it: it holds every submission to the rules and passes everything else on.
class GuardedService final : public Service {
 public:
  /// `service` must live longer.
  GuardedService(Service& service, SubmissionRules rules);

  /// Whether drain() was called: what is refused from then on is refused for good.
  [[nodiscard]] bool isDraining() const { return isDraining_; }
  /// Refuses submissions from now on.
  void closeDoor() { isDraining_ = true; }
  /// From now on these are the limits of clients.
  void useLimits(std::map<std::string, ClientLimits> limits);

  // Service
  std::variant<std::string, Refusal> submit(Submission submission) override;
  bool cancel(const std::string& id, const std::string& reason) override;
  [[nodiscard]] std::optional<RunStatus> status(const std::string& id) const override;
  [[nodiscard]] std::vector<RunStatus> runs(std::size_t most) const override;
  [[nodiscard]] std::shared_ptr<const Report> report(const std::string& id) const override;
  [[nodiscard]] EventPage events(const std::string& id, std::uint64_t first,
                                 std::chrono::milliseconds wait) const override;
  std::optional<RunStatus> waitFor(const std::string& id, std::chrono::milliseconds wait,
                                   const std::function<bool()>& isWanted) override;
  [[nodiscard]] ServiceCounts counts() const override;
  [[nodiscard]] KeptRuns kept() const override;
  [[nodiscard]] std::vector<DeviceState> devices() const override;
  void drain(std::chrono::milliseconds wait) override;
  void warmUp(const std::function<std::optional<Job>(const std::string& device)>& jobFor) override {
    service_.warmUp(jobFor);
  }

 private:
  [[nodiscard]] std::optional<ClientLimits> limitsOf(const std::string& client) const;
  Service& service_;
  SubmissionRules rules_;
  /// Guards the limits in the rules.
  mutable std::mutex mutex_;
  std::atomic<bool> isDraining_ = false;
};

}  // namespace wb
