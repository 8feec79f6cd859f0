// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/evaluation_answer.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "core/figures/cells.h"
#include "core/figures/ran.h"
#include "core/jobs/evaluation/evaluation_job.h"
#include "core/model/pace.h"
#include "core/service/evaluation/device_metrics.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

/// What became of a kernel, as the contract tells it.
struct KernelOutcome {
  bool compiled = false, correct = false;
  std::string compilationError, validationError;
};

std::vector<double> samplesOf(const CaseTiming& timing, Side side) {
  std::vector<double> samples;
  for (const Block& block : timing.blocks)
    for (const double each : side == Side::candidate ? block.candidate : block.reference)
      samples.push_back(each);
  return samples;
}

/// The row that was timed, or null.
const CaseRow* timedRow(const KernelReport& kernel) {
  for (std::size_t i = 0; i < kernel.cases.size(); ++i)
    if (kernel.cases[i].timing) return &kernel.cases[i];
  return nullptr;
}

/// What the error says in full: its traceback, or the compiler's messages.
std::string wholeText(const Error& error, const std::vector<Diagnostic>& diagnostics) {
  if (!error.trace.empty())
    return error.trace.find(error.text) == std::string::npos ? error.text + "\n" + error.trace : error.trace;
  std::string text = error.text;
  if (!error.hint.empty()) text += fmt::format(" ({})", error.hint);
  for (const Diagnostic& each : diagnostics)
    if (each.severity == Severity::error && each.message != error.text)
      text += fmt::format("\n{}: error: {}", wb::text(each.place), each.message);
  return text;
}

/// The loss that ended the kernel, in words; "" where no worker was lost.
std::string lossText(const Report& report) {
  return report.losses.empty() ? std::string() : describe(report.losses.back());
}

/// A shape as Python writes it: "[4, 2]" for "4×2".
std::string listOf(std::string_view shape) {
  if (shape.starts_with('[')) return std::string(shape);
  std::string list;
  for (std::size_t at = 0; at < shape.size();) {
    constexpr std::string_view times = "×";
    const bool between = shape.substr(at, times.size()) == times;
    list += between ? std::string(", ") : std::string(1, shape[at]);
    at += between ? times.size() : 1;
  }
  const bool numbers = list.find_first_not_of("0123456789, ") == std::string::npos;
  return numbers ? "[" + list + "]" : "[]";
}

std::string shapeMismatch(const std::string& message) {
  constexpr std::string_view expected = "expected shape ", got = ", got ";
  const auto begin = message.find(expected), end = message.find(got);
  if (begin == std::string::npos || end == std::string::npos) return "Shape mismatch: " + message;
  const auto first = begin + expected.size();
  return fmt::format("Shape mismatch: ref={}, custom={}",
                     listOf(std::string_view(message).substr(first, end - first)),
                     listOf(std::string_view(message).substr(end + got.size())));
}

/// How many of how many trials passed. A case whose inputs are the same each time stands for two.
std::pair<std::size_t, std::size_t> trials(const KernelReport& kernel) {
  std::size_t passed = 0;
  for (std::size_t i = 0; i < kernel.cases.size(); ++i)
    passed += kernel.cases[i].check.verdict == Verdict::pass ? 1U : 0U;
  return {passed, std::max<std::size_t>(2, kernel.cases.size())};
}

std::string mismatchText(const KernelReport& kernel, const CaseCheck& check) {
  const auto [passed, all] = trials(kernel);
  if (!check.errors || !std::isfinite(check.errors->maxAbs) || check.errors->maxAbs == 0)
    return fmt::format("Validation failed: {}/{} trials passed\n{}", passed, all, check.message);
  return fmt::format(
      "Numerical outputs don't match within tolerance. Trials passed: {}/{}. Max difference: {:.1e}, Median "
      "difference: {:.1e}. Tolerance: atol={}, rtol={}\n{}",
      passed, all, check.errors->maxAbs, check.errors->p50Abs, check.atol, check.rtol, check.message);
}

std::string exceptionText(const CaseCheck& check) {
  const bool second = check.message.starts_with("the second time");
  const std::string& text = check.trace.empty() ? check.message : check.trace;
  return fmt::format("{} failed:\n{}", second ? "Trial 2" : "Warmup", text);
}

std::string validationError(const KernelReport& kernel, const CaseCheck& check) {
  switch (check.verdict) {
    case Verdict::threw:
      return exceptionText(check);
    case Verdict::wrongShape:
      return shapeMismatch(check.message);
    case Verdict::mismatch:
    case Verdict::wrongDtype:
    case Verdict::wrongCount:
    case Verdict::wrongDevice:
    case Verdict::changedInput:
      return mismatchText(kernel, check);
    case Verdict::refused:
      return "Input selection failed:\n" + check.message;
    case Verdict::invalid:
      return "Validation says nothing: " + check.message;
    case Verdict::notRun:
    case Verdict::missing:
      return "Validation did not run to its end" + (check.message.empty() ? "" : ": " + check.message);
    default:
      return fmt::format("Validation failed: the kernel {}: {}", name(check.verdict), check.message);
  }
}

/// Whether a verdict means that the kernel ran, which is all that is asked of one without a reference.
bool didRun(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::mismatch || verdict == Verdict::wrongShape ||
         verdict == Verdict::invalid;
}

KernelOutcome outcomeOf(const EvaluationRequest& request, const Report& report, const KernelReport& kernel) {
  KernelOutcome outcome;
  if (kernel.failure && kernel.failure->text.starts_with(referenceFailed)) {
    outcome.compiled = true;
    outcome.validationError =
        "Skipped due to compilation failure\n" + wholeText(*kernel.failure, kernel.diagnostics);
    return outcome;
  }
  if (kernel.failure || !kernel.compiled) {
    std::string why = kernel.failure ? wholeText(*kernel.failure, kernel.diagnostics) : lossText(report);
    if (why.empty() && report.failure) why = report.failure->text;
    outcome.compilationError = "Compilation error:\n" + (why.empty() ? "it did not come to its end" : why);
    return outcome;
  }
  outcome.compiled = true;
  if (!kernel.compiled->runs) {
    outcome.validationError = "Warmup failed:\n" + kernel.compiled->note;
    return outcome;
  }
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseCheck& check = kernel.cases[i].check;
    if (check.verdict == Verdict::pass || (!request.reference && didRun(check.verdict))) continue;
    outcome.validationError = validationError(kernel, check);
    return outcome;
  }
  outcome.correct = kernel.cases.size() > 0;
  if (!outcome.correct) outcome.validationError = "Validation did not run to its end";
  return outcome;
}

int deviceIndex(const std::string& device) {
  const auto colon = device.find(':');
  return colon == std::string::npos ? 0 : std::atoi(device.c_str() + colon + 1);
}

Json metricsOf(const EvaluationRequest& request, const Report& report, const KernelReport& kernel) {
  Json metrics = Json::object();
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    if (!kernel.cases[i].profile) continue;
    const CaseProfile& profile = **kernel.cases[i].profile;
    const SideProfile& original = request.reference ? profile.reference : profile.candidate;
    if (Json side = deviceMetrics(original, report.target); !side.empty())
      metrics["original_device_metrics"] = std::move(side);
    if (!request.reference) continue;
    if (Json side = deviceMetrics(profile.candidate, report.target); !side.empty())
      metrics["custom_device_metrics"] = std::move(side);
  }
  return metrics;
}

/// What else is to be known of a kernel whose results are right, which no field of the contract says.
std::vector<std::string> warningsOf(const Report& report, const KernelReport& kernel) {
  std::vector<std::string> warnings;
  const auto add = [&](std::string text) {
    if (std::find(warnings.begin(), warnings.end(), text) == warnings.end())
      warnings.push_back(std::move(text));
  };
  for (const Diagnostic& each : kernel.diagnostics)
    if (each.severity == Severity::warning && each.tool == "warpbench") add(each.message);
  for (std::size_t i = 0; i < kernel.cases.size(); ++i)
    if (const CaseCheck& check = kernel.cases[i].check;
        check.verdict == Verdict::pass && !check.trivial.empty())
      add(fmt::format("These inputs say little: {}.", check.message));
  if (const std::string text = delegatedText(whatRan(report, kernel)); !text.empty())
    add(fmt::format("The kernel {}.", text));
  return warnings;
}

/// How exactly the times are known. They are statistics over samples, each of which is the mean of some
/// calls.
void addExactness(Json& metadata, const EvaluationRequest& request, const CaseTiming& timing) {
  const std::size_t samples = samplesOf(timing, Side::candidate).size();
  metadata["samples"] = samples;
  metadata["calls_per_sample"] = timing.callsPerSample;
  std::string note = timing.note;
  if (request.reference && hasInterval(timing.speedup)) {
    metadata["speedup_interval"] = {timing.speedup.low, timing.speedup.high};
  } else if (request.reference) {
    note += fmt::format(
        "{}{} of each kernel do not tell how exact the ratio is: ask for more with num_trials",
        note.empty() ? "" : "; ", plural(static_cast<std::int64_t>(samples), "sample", "samples"));
  }
  if (!note.empty()) metadata["timing_note"] = note;
}

/// Why a kernel that did what it was asked has no time; "" where nobody knows.
std::string whyNotTimed(const KernelReport& kernel) {
  for (std::size_t i = 0; i < kernel.cases.size(); ++i)
    if (!kernel.cases[i].notTimed.empty()) return kernel.cases[i].notTimed;
  for (std::size_t i = 0; i < kernel.cases.size(); ++i)
    if (const CaseCheck& check = kernel.cases[i].check; check.verdict != Verdict::pass) return check.message;
  return {};
}

double percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

/// Milliseconds to a nanosecond.
double milliseconds(double seconds) {
  constexpr double perSecond = 1e9, nanosecondsPerMillisecond = 1e6;
  return std::round(seconds * perSecond) / nanosecondsPerMillisecond;
}

}  // namespace

EvaluationHost EvaluationHost::ofThisMachine() {
  EvaluationHost host;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) host.podName = name.data();
  host.podIp = "127.0.0.1";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it while running
  if (const char* type = std::getenv("GPU_TYPE")) host.gpuType = wb::gpuType(type);
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* const metrics = std::getenv("ENABLE_DEVICE_METRICS");
  host.deviceMetrics = metrics != nullptr && std::string_view(metrics) == "true";
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  if (getaddrinfo(host.podName.c_str(), nullptr, &hints, &found) == 0 && found != nullptr) {
    std::array<char, INET_ADDRSTRLEN> address{};
    const auto* const internet = reinterpret_cast<const sockaddr_in*>(found->ai_addr);
    if (inet_ntop(AF_INET, &internet->sin_addr, address.data(), address.size())) host.podIp = address.data();
    freeaddrinfo(found);
  }
  return host;
}

std::string gpuType(std::string_view deviceName) {
  std::string name(deviceName);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* known : {"a100", "h100", "h200"})
    if (name.find(known) != std::string::npos) return known;
  return {};
}

Json runtimeStats(std::span<const double> seconds) {
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::sort(sorted.begin(), sorted.end());
  constexpr std::array keys{"mean", "std", "min", "max", "median", "percentile_95", "percentile_99"};
  std::array<double, keys.size()> values{};
  if (!sorted.empty()) {
    const auto count = static_cast<double>(sorted.size());
    const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
    const double squares = std::accumulate(sorted.begin(), sorted.end(), 0.0, [&](double sum, double each) {
      return sum + (each - mean) * (each - mean);
    });
    values = {mean,
              std::sqrt(squares / count),
              sorted.front(),
              sorted.back(),
              percentile(sorted, 0.5),
              percentile(sorted, 0.95),
              percentile(sorted, 0.99)};
  }
  Json stats = Json::object();
  for (std::size_t i = 0; i < keys.size(); ++i) stats[keys[i]] = milliseconds(values[i]);
  return stats;
}

Json evaluationAnswer(const EvaluationRequest& request, const std::string& jobId, const Report& report,
                      const EvaluationHost& host) {
  Json result = Json::object();
  Json metadata{{"gpu_id", deviceIndex(report.device)}};
  Json reference = runtimeStats({});
  KernelOutcome outcome;
  Json stats;
  if (report.kernels.empty()) {
    outcome.compilationError = "Compilation error:\nit did not begin";
  } else {
    const KernelReport& kernel = *report.kernels.front();
    outcome = outcomeOf(request, report, kernel);
    if (Json metrics = metricsOf(request, report, kernel); !metrics.empty())
      metadata["device_metrics"] = std::move(metrics);
    if (const CaseRow* row = timedRow(kernel); outcome.correct && row != nullptr) {
      stats = runtimeStats(samplesOf(*row->timing, Side::candidate));
      reference = runtimeStats(samplesOf(*row->timing, Side::reference));
      addExactness(metadata, request, *row->timing);
    } else if (const std::string why = outcome.correct ? whyNotTimed(kernel) : ""; !why.empty()) {
      metadata["not_timed"] = host.paths.hidden(why);
    }
    if (outcome.correct && request.reference)
      for (const std::string& warning : warningsOf(report, kernel))
        metadata["warnings"].push_back(host.paths.hidden(warning));
  }
  result["compiled"] = outcome.compiled;
  result["correctness"] = outcome.correct;
  result["runtime"] = stats.is_null() ? Json(0.0) : stats["mean"];
  result["metadata"] = std::move(metadata);
  if (!stats.is_null()) result["runtime_stats"] = std::move(stats);
  if (!outcome.compilationError.empty())
    result["compilation_error"] = host.paths.hidden(outcome.compilationError);
  if (!outcome.validationError.empty())
    result["validation_error"] = host.paths.hidden(outcome.validationError);
  Json body{{"job_id", jobId}, {"kernel_exec_result", std::move(result)}};
  if (request.reference) body["ref_runtime"] = std::move(reference);
  body["pod_name"] = host.podName;
  body["pod_ip"] = host.podIp;
  body["status"] = "success";
  const bool isNamed = host.gpuType.empty() || report.target.device == "cpu";
  const std::string type = isNamed ? gpuType(report.target.deviceName) : host.gpuType;
  if (!type.empty()) body["gpu_type"] = type;
  return body;
}

Json evaluationFailure(const std::string& error, const std::string& jobId, const EvaluationHost& host) {
  Json body{{"kernel_exec_result", Json::object()},
            {"ref_runtime", Json::object()},
            {"pod_name", host.podName},
            {"pod_ip", host.podIp},
            {"status", "error"},
            {"error", host.paths.hidden(error)},
            {"compilation_method", "cupy"}};
  if (!jobId.empty()) body["job_id"] = jobId;
  return body;
}

}  // namespace wb
