// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/evaluation_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/files/file.h"
#include "core/jobs/evaluation/contract_metrics.h"
#include "core/jobs/evaluation/python_json.h"

namespace wb {
namespace {

/// A tolerance that every number is within.
constexpr double anything = 1e300;
/// How long a case is timed at most for each trial that is asked for, and at least and at most.
constexpr double secondsPerTrial = 0.5e-3, leastSeconds = 0.02, mostSeconds = 5;
/// How exactly the ratio is wanted by whoever asks for so many trials. An error falls with the root of their
/// number, so four times as many halve it.
constexpr double usualTrials = 100, usualHalfWidth = 0.02, finestHalfWidth = 0.005, widestHalfWidth = 0.1;
/// For who asks for no number of trials: some dozens of calls of a short kernel.
constexpr double quickSeconds = 0.008, quickHalfWidth = 0.05;
constexpr double longestCase = 30;
constexpr std::string_view ending = ".json";
/// By this resources/python/warpbench_made.py knows that nobody wants to see such a module in a traceback. It
/// knows the reference's module by all that stands around the request.
constexpr const char* firstLine = "# Warpbench made this of a request.";

OrderedJson jsonOf(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson::parse(text);
}

OrderedJson jsonOf(const KernelCode& kernel) {
  return {{"source_code", kernel.source},
          {"kernel_type", kernel.type},
          {"io", jsonOf(kernel.io)},
          {"metadata", jsonOf(kernel.metadata)}};
}

/// The request as a string literal of Python, and of JSON: all that is not ASCII is escaped.
std::string literal(const EvaluationRequest& request) {
  const OrderedJson both{{"ref", request.reference ? jsonOf(*request.reference) : OrderedJson()},
                         {"custom", jsonOf(request.kernel)}};
  const std::string text = both.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
  return OrderedJson(text).dump(-1, ' ', true);
}

bool usesTriton(const KernelCode& kernel) {
  return kernel.type == "triton" || kernel.source.find("import triton") != std::string::npos ||
         kernel.source.find("from triton") != std::string::npos;
}

/// What a reference of its own is told: of the custom kernel what it is called with, and not its source.
EvaluationRequest forReference(EvaluationRequest request) {
  if (request.reference) request.kernel.source.clear();
  return request;
}

KernelSource sourceOf(const EvaluationRequest& request) {
  KernelSource source;
  source.path = request.reference ? "custom_kernel.py" : "kernel.py";
  source.language = usesTriton(request.kernel) || (request.reference && usesTriton(*request.reference))
                        ? "triton"
                        : "python";
  source.text = fmt::format(
      "{}\n"
      "import warpbench_requests\n\n"
      "ModelNew = warpbench_requests.Candidate({}).model\n",
      firstLine, literal(request));
  source.referencePath = request.reference ? "ref_kernel.py" : source.path;
  source.referenceText = fmt::format(
      "{}\n"
      "import warpbench_requests\n\n"
      "request = warpbench_requests.Reference({})\n"
      "Model, get_inputs, gives_list = request.model, request.inputs, True\n"
      "trials, same_inputs = request.trials, request.same_inputs\n",
      firstLine, literal(forReference(request)));
  return source;
}

}  // namespace

JobRequest evaluationJob(const EvaluationRequest& request, const std::string& device, bool counters) {
  JobRequest job;
  job.suite = "request";
  job.device = device;
  job.sources = {sourceOf(request)};
  job.stages = {Stage::check, Stage::time};
  const bool onGpu = device != "cpu";
  if (onGpu && request.deviceMetrics.value_or(counters)) {
    job.stages.add(Stage::profile);
    job.profile.sections = countedMetrics();
    job.profile.timeline = job.profile.lines = job.profile.listing = false;
  }
  job.tolerance.preset = "given";
  constexpr double standard = 1e-2;
  job.tolerance.atol = request.reference ? request.atol.value_or(standard) : anything;
  job.tolerance.rtol = request.reference ? request.rtol.value_or(standard) : 0;
  job.timing.capSeconds = std::clamp(request.numTrials * secondsPerTrial, leastSeconds, mostSeconds);
  job.timing.targetHalfWidth = std::clamp(usualHalfWidth * std::sqrt(usualTrials / request.numTrials),
                                          finestHalfWidth, widestHalfWidth);
  if (!request.asksTrials) job.timing = {quickSeconds, quickHalfWidth};
  const auto timeout = static_cast<double>(request.timeoutSeconds);
  job.limits.compileSeconds = std::min(job.limits.compileSeconds, timeout);
  job.limits.firstCallSeconds = std::min(job.limits.firstCallSeconds, timeout);
  job.limits.caseSeconds = std::min(longestCase, timeout);
  job.limits.profileSeconds = std::min(job.limits.profileSeconds, timeout);
  return job;
}

bool isEvaluationRequest(std::string_view path, std::string_view text) {
  return path.ends_with(ending) && readEvaluationFile(text).has_value();
}

Result<std::optional<JobRequest>> requestInFile(const JobRequest& request) {
  if (request.files.size() + request.sources.size() != 1) return std::optional<JobRequest>();
  const bool isText = request.files.empty();
  const std::string& file = isText ? request.sources.front().path : request.files.front();
  if (!file.ends_with(ending)) return std::optional<JobRequest>();
  WB_TRY(const auto text, isText ? Result<std::string>(request.sources.front().text) : readSource(file));
  const auto read = readEvaluationFile(text);
  if (!read) return std::optional<JobRequest>();
  if (const auto* refused = std::get_if<RefusedRequest>(&*read))
    return Error{
        Stage::job, "the evaluation server refuses such a request: " + refused->body, {}, Place{file, 0, 0}};
  JobRequest made = evaluationJob(std::get<EvaluationRequest>(*read), request.device, false);
  const Tolerance tolerance = made.tolerance;
  static_cast<RunPlan&>(made) = request;
  made.tolerance = tolerance;
  made.suite = "request";
  made.limits = request.limits;
  made.python = request.python;
  return std::optional(std::move(made));
}

}  // namespace wb
