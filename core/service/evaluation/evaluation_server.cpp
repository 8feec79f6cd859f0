// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/evaluation_server.h"
#include "core/service/wall_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "core/jobs/evaluation/evaluation_job.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

constexpr double recentSeconds = 300;
constexpr std::chrono::duration<double> recentTime{recentSeconds};
/// What ending a run may take after its timeout.
constexpr double graceSeconds = 10;

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}
double seconds(double value) {
  constexpr double hundredths = 100;
  return rounded(value, hundredths);
}
double rate(double value) {
  constexpr double thousandths = 1000;
  return rounded(value, thousandths);
}
double share(std::uint64_t part, std::uint64_t whole, double ofNone) {
  return whole == 0 ? ofNone : rate(static_cast<double>(part) / static_cast<double>(whole));
}

/// The original's word for a state, as far as it shows there.
std::string stateWord(RunState state) {
  if (state == RunState::queued) return "submitted";
  if (state == RunState::running) return "started";
  return state == RunState::finished ? "completed" : "failed";
}

std::string stateWord(RunState state, const Report* report) {
  if (state != RunState::running || report == nullptr || report->kernels.empty()) return stateWord(state);
  const Progress& progress = report->kernels.front()->progress;
  if (progress.state != Progress::State::underWay) return stateWord(state);
  switch (progress.stage) {
    case Stage::compile:
      return "compiling";
    case Stage::check:
      return "validating";
    default:
      return "profiling";
  }
}

std::string timedOut(const EvaluationRequest& request) {
  return fmt::format("Job timed out after {} seconds", request.timeoutSeconds);
}

int statusOf(const Refusal& refused) {
  constexpr int tooMany = 429, noRoom = 507;
  if (refused.cause == Refusal::Cause::noDisk) return noRoom;
  return refused.retryAfterSeconds > 0 ? tooMany : 500;
}

/// A key is no part of the contract, and so its refusal is like that of a value out of its bounds.
EvaluationReply keyIsTaken(const Error& error, const IdempotencyKey& key) {
  constexpr int unprocessable = 422;
  return {
      unprocessable,
      {{"error", error.text}, {"details", {{IdempotencyKey::header, key.key}}}, {"status", "client_error"}}};
}

double secondsOfChecks(const KernelReport& kernel) {
  double sum = 0;
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) sum += kernel.cases[i].check.seconds;
  return sum;
}

}  // namespace

void EvaluationServer::Durations::add(double seconds, bool isGood) {
  least = count == 0 ? seconds : std::min(least, seconds);
  most = std::max(most, seconds);
  sum += seconds;
  ++count;
  good += isGood ? 1U : 0U;
}

/// Whichever GPU is free first; the CPU where there is none.
std::string EvaluationServer::deviceFor() const {
  const std::vector<DeviceState> devices = service_.devices();
  const auto isGpu = [](const DeviceState& each) { return each.device != "cpu"; };
  return std::any_of(devices.begin(), devices.end(), isGpu) ? "auto" : "cpu";
}

EvaluationReply EvaluationServer::refusal(int status, const std::string& error, const std::string& id) const {
  return {status, evaluationFailure(error, id, host_)};
}

std::variant<EvaluationServer::Ended, EvaluationReply> EvaluationServer::perform(
    const JobRequest& wanted, double seconds, const EvaluationCaller& caller) {
  Result<Job> job = makeJob(wanted);
  if (!job) return refusal(500, "An unexpected error occurred: " + job.error().text);
  Submission submission;
  submission.job = *std::move(job);
  submission.client = caller.client;
  submission.deadlineSeconds = seconds;
  submission.idempotencyKey = caller.key.key;
  submission.requestHash = caller.key.requestHash;
  auto accepted = service_.submit(std::move(submission));
  if (const auto* refused = std::get_if<Refusal>(&accepted)) {
    if (refused->cause == Refusal::Cause::keyIsTaken) return keyIsTaken(refused->error, caller.key);
    EvaluationReply reply = refusal(statusOf(*refused), refused->error.text);
    reply.retryAfterSeconds = refused->retryAfterSeconds;
    return reply;
  }
  Ended ended{std::get<std::string>(std::move(accepted)), {}, {}};
  const std::chrono::duration<double> wait(seconds + graceSeconds);
  ended.status = waitFor(service_, ended.id, caller.key,
                         std::chrono::duration_cast<std::chrono::milliseconds>(wait), caller.isWanted);
  ended.report = service_.report(ended.id);
  return ended;
}

EvaluationReply EvaluationServer::run(const EvaluationRequest& request, const EvaluationCaller& caller) {
  JobRequest wanted = evaluationJob(request, deviceFor(), host_.deviceMetrics);
  wanted.sandbox = host_.sandbox;
  const SteadyStamps stamps;
  auto performed = perform(wanted, request.timeoutSeconds, caller);
  if (auto* refused = std::get_if<EvaluationReply>(&performed)) return std::move(*refused);
  const auto& [id, status, report] = std::get<Ended>(performed);
  const bool isAnswered = status && status->state == RunState::finished && report;
  // An earlier request with the same key was counted when it was answered.
  const bool isAgain = !caller.key.key.empty() && status && status->submittedAt < stamps.began();
  if (status && status->startedAt > 0 && !isAgain) {
    const std::lock_guard lock(mutex_);
    waits_.add(status->startedAt - status->submittedAt, true);
    deviceSeconds_[status->device] += std::max(0.0, status->endedAt - status->startedAt);
  }
  const double seconds =
      status && isOver(status->state) ? status->endedAt - status->submittedAt : stamps.seconds();
  if (report && status && !isAgain) count(*report, seconds, isAnswered);
  if (isAnswered) return {200, evaluationAnswer(request, id, *report, host_)};
  if (!status) return refusal(500, "Job failed with unknown error", id);
  if (!isOver(status->state) && caller.key.key.empty()) service_.cancel(id, timedOut(request));
  if (status->state == RunState::expired || !isOver(status->state))
    return refusal(500, timedOut(request), id);
  return refusal(500, status->reason.empty() ? "Job failed with unknown error" : status->reason, id);
}

void EvaluationServer::count(const Report& report, double seconds, bool isAnswered) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  requests_.add(seconds, isAnswered);
  std::erase_if(answeredAt_, [&](Clock::time_point each) { return each < now - recentTime; });
  answeredAt_.push_back(now);
  if (report.kernels.empty()) return;
  const KernelReport& kernel = *report.kernels.front();
  const bool compiled = kernel.compiled.has_value() && !kernel.failure;
  compilations_.add(kernel.compiled ? kernel.compiled->seconds : report.seconds, compiled);
  if (!compiled) return;
  cacheHits_ += kernel.compiled->cached ? 1U : 0U;
  const bool passed = kernel.counts.passed > 0 && kernel.counts.failed == 0;
  correct_ += passed ? 1U : 0U;
  profilings_.add(secondsOfChecks(kernel), kernel.counts.timed > 0);
}

Json EvaluationServer::jobStats() const {
  const KeptRuns kept = service_.kept();
  Json byStatus = Json::object();
  for (const auto& [state, count] : kept.byState) {
    const std::string word = stateWord(state);
    byStatus[word] = byStatus.value(word, std::uint64_t{0}) + count;
  }
  return {{"total_jobs", kept.count()}, {"by_status", std::move(byStatus)}, {"average_age", kept.meanAge}};
}

Json EvaluationServer::health() const {
  const std::vector<DeviceState> devices = service_.devices();
  const auto free = std::count_if(devices.begin(), devices.end(),
                                  [](const DeviceState& each) { return each.runs.empty(); });
  return {{"status", devices.empty() ? "unhealthy" : "healthy"},
          {"job_stats", jobStats()},
          {"gpu_manager", {{"available_gpus", free}}}};
}

std::optional<Json> EvaluationServer::job(const std::string& id,
                                          const std::optional<std::string>& client) const {
  const auto status = service_.status(id);
  if (!status || isForgotten(*status) || (client && *client != status->client)) return std::nullopt;
  const std::shared_ptr<const Report> report = service_.report(id);
  return Json{{"job_id", id},
              {"status", stateWord(status->state, report.get())},
              {"created_at", status->submittedAt},
              {"error", status->reason.empty() ? Json() : Json(host_.paths.hidden(status->reason))}};
}

void EvaluationServer::cleanUp() {
  const std::lock_guard lock(mutex_);
  forgottenBefore_ = secondsNow() - recentSeconds;
}

bool EvaluationServer::isForgotten(const RunStatus& status) const {
  const std::lock_guard lock(mutex_);
  return isOver(status.state) && status.endedAt < forgottenBefore_;
}

Json EvaluationServer::compilationMetrics() const {
  const Durations& all = compilations_;
  Json body{{"total_compilations", all.count},
            {"average_time_seconds", seconds(all.mean())},
            {"success_rate", share(all.good, all.count, 1)},
            {"cache_hit_rate", share(cacheHits_, all.count, 0)},
            {"total_time_seconds", seconds(all.sum)}};
  if (all.count == 0) return body;
  body["successful_compilations"] = all.good;
  body["failed_compilations"] = all.count - all.good;
  body["cache_hits"] = cacheHits_;
  body["cache_misses"] = all.count - cacheHits_;
  body["min_time_seconds"] = seconds(all.least);
  body["max_time_seconds"] = seconds(all.most);
  return body;
}

Json EvaluationServer::profilingMetrics() const {
  const Durations& all = profilings_;
  Json usage = Json::object();
  for (const auto& [device, used] : deviceSeconds_)
    usage[device.substr(device.find(':') + 1)] = seconds(used);
  Json body{{"total_profilings", all.count},
            {"average_time_seconds", seconds(all.mean())},
            {"success_rate", share(all.good, all.count, 1)},
            {"correctness_rate", share(correct_, all.count, 1)},
            {"total_time_seconds", seconds(all.sum)},
            {"gpu_usage_times", std::move(usage)}};
  if (all.count == 0) return body;
  body["successful_profilings"] = all.good;
  body["failed_profilings"] = all.count - all.good;
  body["correctness_passed"] = correct_;
  body["correctness_failed"] = all.count - correct_;
  body["min_time_seconds"] = seconds(all.least);
  body["max_time_seconds"] = seconds(all.most);
  return body;
}

Json EvaluationServer::gpuUtilization(const ServiceCounts& counts) const {
  Json byGpu = Json::object();
  for (const auto& [device, used] : deviceSeconds_)
    byGpu[device.substr(device.find(':') + 1)] = seconds(used);
  const std::uint64_t released = counts.finished + counts.cancelled + counts.expired + counts.failed;
  return {{"gpu_acquisitions", released + counts.running},
          {"gpu_releases", released},
          {"active_sessions", counts.running},
          {"total_gpu_time_seconds", seconds(counts.ran)},
          {"total_wait_time_seconds", seconds(counts.waited)},
          {"average_wait_time_seconds", seconds(waits_.mean())},
          {"max_wait_time_seconds", seconds(waits_.most)},
          {"min_wait_time_seconds", seconds(waits_.least)},
          {"utilization_by_gpu", std::move(byGpu)}};
}

Json EvaluationServer::throughput(const ServiceCounts& counts) const {
  constexpr double minute = 60;
  const double minutes = counts.uptimeSeconds / minute;
  const auto recent = std::count_if(answeredAt_.begin(), answeredAt_.end(),
                                    [](Clock::time_point each) { return each >= Clock::now() - recentTime; });
  const auto requests = static_cast<double>(requests_.count);
  return {{"server_uptime_seconds", seconds(counts.uptimeSeconds)},
          {"server_uptime_minutes", seconds(minutes)},
          {"total_requests", requests_.count},
          {"completed_requests", requests_.good},
          {"failed_requests", requests_.count - requests_.good},
          {"success_rate", share(requests_.good, requests_.count, 1)},
          {"requests_per_minute", seconds(minutes > 0 ? requests / minutes : 0)},
          {"recent_throughput_per_minute", seconds(static_cast<double>(recent) * minute / recentSeconds)},
          {"average_end_to_end_time_seconds", seconds(requests_.mean())},
          {"min_end_to_end_time_seconds", seconds(requests_.least)},
          {"max_end_to_end_time_seconds", seconds(requests_.most)}};
}

Json EvaluationServer::stats() const {
  const ServiceCounts counts = service_.counts();
  Json jobs = jobStats();
  const std::lock_guard lock(mutex_);
  return {{"job_stats", std::move(jobs)},
          {"compilation_metrics", compilationMetrics()},
          {"profiling_metrics", profilingMetrics()},
          {"gpu_utilization", gpuUtilization(counts)},
          {"throughput", throughput(counts)},
          {"timestamp", secondsNow()}};
}

}  // namespace wb
