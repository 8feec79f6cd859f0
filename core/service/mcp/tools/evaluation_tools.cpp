// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "core/base/cut_text.h"
#include "core/jobs/evaluation/evaluation_request.h"
#include "core/service/evaluation/evaluation_server.h"
#include "core/service/mcp/tools/bounded.h"
#include "core/service/mcp/tools/evaluation_checks.h"
#include "core/service/mcp/tools/tools.h"

namespace wb {
namespace {

using nlohmann::json;

/// A member of an object, where it has one that is not null; null otherwise.
json memberOf(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? json() : *found;
}

void copy(const json& from, const char* name, json& to, const char* as) {
  if (json value = memberOf(from, name); !value.is_null()) to[as] = std::move(value);
}

/// Where a kernel's parts stand among flat arguments.
struct FlatKernel {
  const char *source, *type, *io, *metadata;
};
constexpr FlatKernel onlyKernel{"kernel_source", "kernel_type", "io_contract", "metadata"};
constexpr FlatKernel itsReference{"reference_kernel_source", "reference_kernel_type", "io_contract",
                                  "reference_kernel_metadata"};
constexpr FlatKernel comparedReference{"ref_kernel_source", "ref_kernel_type", "ref_kernel_io",
                                       "ref_kernel_metadata"};
constexpr FlatKernel comparedKernel{"custom_kernel_source", "custom_kernel_type", "custom_kernel_io",
                                    "custom_kernel_metadata"};

json kernelCode(const json& arguments, const FlatKernel& names) {
  json kernel = json::object();
  copy(arguments, names.source, kernel, "source_code");
  copy(arguments, names.type, kernel, "kernel_type");
  copy(arguments, names.io, kernel, "io");
  copy(arguments, names.metadata, kernel, "metadata");
  return kernel;
}

/// The body of a request over HTTP that means the same. Arguments come wrapped in "request", as the original
/// takes them, or flat, as its pages say.
struct Asked {
  EvaluationRoute route = EvaluationRoute::evaluate;
  json body = json::object();
};

void copySettings(const json& arguments, json& body, double tolerance) {
  copy(arguments, "num_trials", body, "num_trials");
  copy(arguments, "timeout", body, "timeout");
  body["atol"] = body["rtol"] = tolerance;
  copy(arguments, "atol", body, "atol");
  copy(arguments, "rtol", body, "rtol");
  // Warpbench warms up by what it measures; num_warmup changes nothing, as in the original.
  copy(arguments, "enable_device_metrics", body, "collect_device_metrics");
}

Asked evaluationAsked(const json& arguments) {
  if (const json wrapped = memberOf(arguments, "request"); !wrapped.is_null())
    return {EvaluationRoute::evaluate, wrapped};
  Asked asked;
  copySettings(arguments, asked.body, 1e-5);
  if (arguments.contains(itsReference.source)) {
    asked.route = EvaluationRoute::compare;
    if (!arguments.contains("atol")) asked.body["atol"] = 1e-8;
    asked.body["ref_kernel"] = kernelCode(arguments, itsReference);
    asked.body["custom_kernel"] = kernelCode(arguments, onlyKernel);
  } else {
    asked.body["kernel"] = kernelCode(arguments, onlyKernel);
  }
  return asked;
}

Asked comparisonAsked(const json& arguments) {
  if (const json wrapped = memberOf(arguments, "request"); !wrapped.is_null())
    return {EvaluationRoute::compare, wrapped};
  Asked asked{EvaluationRoute::compare};
  copySettings(arguments, asked.body, 1e-5);
  asked.body["ref_kernel"] = kernelCode(arguments, comparedReference);
  asked.body["custom_kernel"] = kernelCode(arguments, comparedKernel);
  return asked;
}

/// An answer as the original gives one: its values as indented JSON, too.
ToolAnswer original(McpJson result) {
  ToolAnswer answer;
  answer.text = cutText(result.dump(2, ' ', false, McpJson::error_handler_t::replace), longestAnswer);
  answer.structured = {{"result", std::move(result)}};
  return answer;
}

McpJson failure(const std::string& error, const EvaluationHost& host) {
  return {{"status", "failed"}, {"error", error}, {"pod_name", host.podName}, {"pod_ip", host.podIp}};
}

/// What is wrong with a request, in one line of the words of the HTTP answer.
std::string wordsOf(const RefusedRequest& refused) {
  const json body = json::parse(refused.body, nullptr, false);
  std::string words;
  if (const json errors = memberOf(body, "validation_errors"); errors.is_array())
    for (const json& each : errors)
      words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", each.value("field", ""),
                           each.value("message", ""));
  if (!words.empty()) return words;
  const json error = memberOf(body, "error");
  return error.is_string() ? error.get<std::string>() : refused.body;
}

bool lacksArgument(const RefusedRequest& refused) {
  const json body = json::parse(refused.body, nullptr, false);
  const json errors = memberOf(body, "validation_errors");
  return errors.is_array() &&
         std::ranges::any_of(errors, [](const json& each) { return each.value("type", "") == "missing"; });
}

/// Why a request that was taken has no result. Of a job's time-out the original's tools name the job.
McpJson failure(const EvaluationReply& reply, const EvaluationHost& host) {
  std::string error = reply.body.value("error", "the request failed");
  if (!reply.body.contains("job_id")) return failure(error, host);
  const std::string id = reply.body["job_id"];
  constexpr std::string_view timeOut = "Job timed out";
  if (error.starts_with(timeOut)) error = fmt::format("Job {} timed out{}", id, error.substr(timeOut.size()));
  McpJson failed = failure(error, host);
  failed["job_id"] = id;
  return failed;
}

/// Members that stand on the top of an answer over HTTP and not here.
McpJson withoutGpuType(McpJson body) {
  body.erase("gpu_type");
  return body;
}

ToolAnswer evaluated(const Asked& asked, const ToolCall& call) {
  EvaluationServer& server = *call.host.evaluation;
  const auto read = readEvaluation(
      asked.route, asked.body.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
  if (const auto* refused = std::get_if<RefusedRequest>(&read)) {
    ToolAnswer answer = original(failure("Validation error: " + wordsOf(*refused), server.host()));
    answer.isError = lacksArgument(*refused);
    return answer;
  }
  if (const std::string wrong = wrongForTools(std::get<EvaluationRequest>(read)); !wrong.empty())
    return original(failure(wrong, server.host()));
  call.progress(0, "waiting for the evaluation");
  const EvaluationReply reply =
      server.run(std::get<EvaluationRequest>(read),
                 {.client = call.client, .isWanted = [&] { return !call.stop.stop_requested(); }});
  constexpr int good = 200;
  if (reply.status == good) return original(withoutGpuType(reply.body));
  return original(failure(reply, server.host()));
}

ToolAnswer validated(const json& arguments, const ToolCall& call) {
  Asked asked;
  asked.body["kernel"] = kernelCode(arguments, onlyKernel);
  asked.body["num_trials"] = 1;
  asked.body["timeout"] = 60;
  copy(arguments, "timeout", asked.body, "timeout");
  ToolAnswer answer = evaluated(asked, call);
  const McpJson& result = std::as_const(answer).structured["result"];
  if (!result.contains("kernel_exec_result")) return answer;
  const McpJson& ran = result["kernel_exec_result"];
  const auto textOf = [&](const char* name) { return ran.contains(name) ? ran[name] : McpJson(nullptr); };
  const McpJson metadata = memberOf(arguments, "metadata");
  return original({{"job_id", result["job_id"]},
                   {"status", result["status"]},
                   {"compiled", ran["compiled"]},
                   {"validated", ran["correctness"]},
                   {"compilation_error", textOf("compilation_error")},
                   {"validation_error", textOf("validation_error")},
                   {"compilation_time", nullptr},
                   {"metadata", metadata}});
}

ToolAnswer serverStats(const ToolCall& call) {
  McpJson gpus = McpJson::array();
  for (const DeviceState& each : call.host.service->devices()) {
    if (!each.device.starts_with("cuda:")) continue;
    constexpr double mebibyte = 1 << 20;
    gpus.push_back({{"device_id", std::stoi(each.device.substr(5))},
                    {"device_name", each.worker.target.deviceName},
                    {"memory_total_mb", static_cast<double>(each.worker.target.memoryBytes) / mebibyte}});
  }
  const McpJson stats = call.host.evaluation->stats();
  const std::size_t count = gpus.size();
  return original({{"status", "healthy"},
                   {"gpu_available", count > 0},
                   {"gpu_count", count},
                   {"gpu_info", std::move(gpus)},
                   {"job_stats", stats.contains("job_stats") ? stats["job_stats"] : McpJson::object()}});
}

ToolAnswer jobStatus(const json& arguments, const ToolCall& call) {
  const json id = memberOf(arguments, "job_id");
  if (!id.is_string()) return failed("the argument 'job_id' is missing");
  if (auto body = call.host.evaluation->job(id.get<std::string>(), call.client))
    return original(*std::move(body));
  return original({{"job_id", id.get<std::string>()},
                   {"status", "not_found"},
                   {"error", fmt::format("Job {} not found", id.get<std::string>())}});
}

McpJson typed(const char* type, const char* meaning) {
  return {{"type", type}, {"description", meaning}};
}

/// The schema of arguments that may come in either style.
McpJson eitherStyle(const char* wrapped, const FlatKernel& kernel, const FlatKernel* reference) {
  McpJson properties = McpJson::object();
  if (wrapped) properties["request"] = typed("object", wrapped);
  const auto add = [&](const FlatKernel& names, const char* whose) {
    properties[names.source] = typed("string", fmt::format("The source of {}", whose).c_str());
    properties[names.type] = typed("string", "torch, torch_cuda, triton, cuda or multi_kernel");
    properties[names.io] =
        typed("object", "The IOContract: tensors, scalars and launch; cuda, triton and multi_kernel need it");
    properties[names.metadata] =
        typed("object", "Class and method names, and what else belongs to the kernel");
  };
  if (reference) add(*reference, "the reference");
  add(kernel, "the kernel");
  properties["num_trials"] = typed("integer", "How many times it is timed, 1 to 10000");
  properties["timeout"] = typed("integer", "After so many seconds it is ended, 5 to 600");
  properties["rtol"] = typed("number", "The relative tolerance, 0 to 1");
  properties["atol"] = typed("number", "The absolute tolerance, 0 to 1");
  properties["enable_device_metrics"] = typed("boolean", "Whether the device's counters are read");
  properties["num_warmup"] = typed("integer", "Taken and not used");
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

McpTool evaluationTool(std::string_view name, std::string_view title, std::string description,
                       McpJson input) {
  McpTool tool{.name = name, .title = title};
  tool.description = std::move(description);
  tool.input = std::move(input);
  tool.output = objectSchema({{"result", "object", "The answer of the evaluation server"}});
  return tool;
}

}  // namespace

std::vector<McpTool> evaluationTools() {
  std::vector<McpTool> tools;
  McpTool evaluate = evaluationTool(
      "evaluate_kernel", "Evaluate a kernel (evaluation server)",
      "Runs a kernel as CUDA Evaluation Server V2 does, for clients of that server; run_kernel says more. "
      "With a "
      "reference it compares the two.",
      eitherStyle("An evaluation request: kernel, num_trials, timeout; instead of all other arguments",
                  onlyKernel, &itsReference));
  evaluate.readOnly = false;
  evaluate.runRaw = [](const json& arguments, const ToolCall& call) {
    return evaluated(evaluationAsked(arguments), call);
  };
  McpTool compare = evaluationTool(
      "compare_kernels", "Compare two kernels (evaluation server)",
      "Checks and times a kernel against a reference as CUDA Evaluation Server V2 does; compare_sources says "
      "more.",
      eitherStyle(
          "A comparison request: ref_kernel, custom_kernel, num_trials, timeout, atol, rtol; instead of "
          "all other arguments",
          comparedKernel, &comparedReference));
  compare.readOnly = false;
  compare.runRaw = [](const json& arguments, const ToolCall& call) {
    return evaluated(comparisonAsked(arguments), call);
  };
  McpTool validate =
      evaluationTool("validate_kernel", "Validate a kernel (evaluation server)",
                     "Says whether a kernel compiles and runs.", eitherStyle(nullptr, onlyKernel, nullptr));
  validate.readOnly = false;
  validate.runRaw = validated;
  McpTool stats = evaluationTool("get_server_stats", "Server statistics (evaluation server)",
                                 "Says which GPUs there are and how many jobs; machine says more.",
                                 {{"type", "object"}, {"properties", McpJson::object()}});
  stats.runRaw = [](const json&, const ToolCall& call) { return serverStats(call); };
  McpTool status = evaluationTool(
      "get_job_status", "Job status (evaluation server)", "Says where a job is; read_run says more.",
      {{"type", "object"},
       {"properties", {{"job_id", typed("string", "The job, as evaluate_kernel names it")}}},
       {"required", McpJson::array({"job_id"})}});
  status.runRaw = jobStatus;
  for (McpTool* each : {&evaluate, &compare, &validate, &stats, &status}) tools.push_back(std::move(*each));
  return tools;
}

}  // namespace wb
