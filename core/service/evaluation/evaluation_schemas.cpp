// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/evaluation_schemas.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "core/service/idempotency_key.h"

namespace wb {
namespace {

using Json = nlohmann::json;

Json reference(const std::string& name) {
  return {{"$ref", "#/components/schemas/" + name}};
}

Json answer(const std::string& description, const std::string& schema) {
  Json content = Json::object();
  if (!schema.empty()) content["application/json"] = {{"schema", reference(schema)}};
  return {{"description", description}, {"content", std::move(content)}};
}

Json operation(const char* summary, const char* id) {
  return {{"summary", summary},
          {"operationId", id},
          {"tags", {"evaluation server"}},
          {"responses", {{"200", answer("What was asked for", "")}}}};
}

/// A kernel whose `forward` gives an expression of two tensors.
Json exampleKernel(const std::string& sum) {
  const auto input = [](const char* name, int seed) {
    return Json{{"name", name},
                {"type", "tensor"},
                {"tensor_spec",
                 {{"shape", {1024}}, {"dtype", "float32"}, {"init", {{"kind", "randn"}, {"seed", seed}}}}}};
  };
  return {{"source_code",
           "import torch\nclass Model(torch.nn.Module):\n    def forward(self, a, b):\n"
           "        return " +
               sum + "\n"},
          {"kernel_type", "torch"},
          {"io", {{"args", {input("a", 1), input("b", 2)}}}}};
}

Json exampleOf(std::string_view request) {
  if (request == "EvaluationRequest") return {{"kernel", exampleKernel("a + b")}, {"num_trials", 100}};
  return {{"ref_kernel", exampleKernel("a + b")},
          {"custom_kernel", exampleKernel("torch.add(a, b)")},
          {"num_trials", 100},
          {"atol", 1e-2},
          {"rtol", 1e-2}};
}

Json posted(const char* summary, const char* id, const char* request, const char* response) {
  Json made = operation(summary, id);
  made["requestBody"] = {
      {"required", true},
      {"content", {{"application/json", {{"schema", reference(request)}, {"example", exampleOf(request)}}}}}};
  made["parameters"] = Json::array(
      {{{"name", IdempotencyKey::header},
        {"in", "header"},
        {"description",
         "The same key of the same client means the same run, which goes on when the client goes away"},
        {"schema", {{"type", "string"}, {"maxLength", IdempotencyKey::mostBytes}}}}});
  made["responses"] = {
      {"200", answer("What became of the kernel; one that fails is an answer, too", response)},
      {"400", answer("Fields are wrong", "EvaluationRefusal")},
      {"422", answer("The body is no object of JSON, or the idempotency key stands for another request", "")},
      {"429", answer("The queue is full; Retry-After says when to try again", "EvaluationFailure")},
      {"507", answer("The server's disk is full; Retry-After says when to try again", "EvaluationFailure")},
      {"500", answer("The timeout passed, or the run failed", "EvaluationFailure")}};
  return made;
}

Json type(const char* name) {
  return {{"type", name}};
}

Json orNull(Json schema) {
  return {{"anyOf", {std::move(schema), type("null")}}};
}

Json object(Json properties, std::initializer_list<const char*> required) {
  Json made{{"type", "object"}, {"properties", std::move(properties)}};
  if (required.size() > 0) made["required"] = Json::array();
  for (const char* each : required) made["required"].push_back(each);
  return made;
}

Json listOf(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

Json contractSchemas() {
  Json all = Json::object();
  all["TensorData"] = object({{"data_b64", type("string")},
                              {"dtype", type("string")},
                              {"shape", listOf(type("integer"))},
                              {"compress", type("string")}},
                             {"data_b64"});
  Json init{{"kind", type("string")}, {"seed", orNull(type("integer"))}};
  for (const char* each : {"mean", "std", "low", "high", "fill_value", "start", "step"})
    init[each] = orNull(type("number"));
  all["TensorInit"] = object(std::move(init), {});
  all["TensorSpec"] = object({{"shape", listOf(type("integer"))},
                              {"dtype", type("string")},
                              {"init", orNull(reference("TensorInit"))},
                              {"data", orNull(reference("TensorData"))}},
                             {});
  all["ArgSpec"] =
      object({{"name", type("string")},
              {"type", type("string")},
              {"value",
               {{"anyOf", {type("integer"), type("number"), type("string"), type("boolean"), type("null")}}}},
              {"tensor_spec", orNull(reference("TensorSpec"))},
              {"role", type("string")},
              {"is_meta", type("boolean")}},
             {"name", "type"});
  const Json size{{"anyOf", {type("integer"), type("string")}}};
  all["LaunchDim"] = object({{"x", size}, {"y", size}, {"z", size}}, {});
  all["LaunchConfig"] = object({{"grid", orNull(reference("LaunchDim"))},
                                {"block", orNull(reference("LaunchDim"))},
                                {"num_warps", orNull(type("integer"))},
                                {"num_stages", orNull(type("integer"))},
                                {"shared_memory_bytes", orNull(type("integer"))}},
                               {});
  all["IOContract"] = object(
      {{"args", listOf(reference("ArgSpec"))}, {"launch", orNull(reference("LaunchConfig"))}}, {"args"});
  Json kernelType = type("string");
  kernelType["enum"] = {"torch", "cuda", "triton", "torch_cuda", "multi_kernel"};
  all["KernelCode"] = object({{"source_code", type("string")},
                              {"kernel_type", std::move(kernelType)},
                              {"io", orNull(reference("IOContract"))},
                              {"metadata", orNull(type("object"))}},
                             {"source_code", "kernel_type"});
  all["KernelCode"]["additionalProperties"] = false;
  return all;
}

}  // namespace

Json evaluationOperation(std::string_view path) {
  if (path == "/evaluate")
    return posted("Runs a kernel and times it", "evaluate_kernel", "EvaluationRequest", "EvaluationResponse");
  if (path == "/compare")
    return posted("Compares a kernel with a reference", "compare_kernels", "CompareRequest",
                  "CompareResponse");
  if (path == "/")
    return posted("The same as /compare", "legacy_evaluate", "CompareRequest", "CompareResponse");
  if (path == "/health") return operation("Whether jobs can be run", "health_check");
  if (path == "/stats") return operation("What the server has done", "get_server_stats");
  if (path == "/admin/cleanup-jobs") return operation("Forgets jobs older than five minutes", "cleanup_jobs");
  Json made = operation("Where a job is", "get_job_status");
  made["parameters"] =
      Json::array({{{"name", "id"}, {"in", "path"}, {"required", true}, {"schema", type("string")}}});
  made["responses"]["404"] = answer("There is no such job", "");
  return made;
}

Json evaluationSchemas() {
  Json all = contractSchemas();
  const Json trials{{"type", "integer"}, {"default", 100}, {"minimum", 1}, {"maximum", 10000}};
  const Json timeout{{"type", "integer"}, {"default", 120}, {"minimum", 5}, {"maximum", 600}};
  all["EvaluationRequest"] = object({{"kernel", reference("KernelCode")},
                                     {"num_trials", trials},
                                     {"timeout", timeout},
                                     {"collect_device_metrics", type("boolean")},
                                     {"enable_device_metrics", type("boolean")}},
                                    {"kernel"});
  all["CompareRequest"] = object({{"ref_kernel", reference("KernelCode")},
                                  {"custom_kernel", reference("KernelCode")},
                                  {"num_trials", trials},
                                  {"timeout", timeout},
                                  {"atol", orNull(type("number"))},
                                  {"rtol", orNull(type("number"))},
                                  {"collect_device_metrics", type("boolean")},
                                  {"enable_device_metrics", type("boolean")}},
                                 {"ref_kernel", "custom_kernel"});
  Json stats = Json::object();
  for (const char* each : {"mean", "std", "min", "max", "median", "percentile_95", "percentile_99"})
    stats[each] = type("number");
  all["RuntimeStats"] = object(std::move(stats), {"mean"});
  all["KernelExecutionResult"] = object({{"compiled", type("boolean")},
                                         {"correctness", type("boolean")},
                                         {"runtime", type("number")},
                                         {"metadata", type("object")},
                                         {"runtime_stats", reference("RuntimeStats")},
                                         {"compilation_error", type("string")},
                                         {"validation_error", type("string")}},
                                        {"compiled", "correctness", "runtime", "metadata"});
  Json response{{"job_id", type("string")},   {"kernel_exec_result", reference("KernelExecutionResult")},
                {"pod_name", type("string")}, {"pod_ip", type("string")},
                {"status", type("string")},   {"gpu_type", type("string")}};
  all["EvaluationResponse"] = object(response, {"job_id", "kernel_exec_result", "status"});
  response["ref_runtime"] = reference("RuntimeStats");
  all["CompareResponse"] = object(response, {"job_id", "kernel_exec_result", "ref_runtime", "status"});
  all["EvaluationRefusal"] = object({{"error", type("string")},
                                     {"details", type("object")},
                                     {"validation_errors", listOf(type("object"))},
                                     {"status", type("string")}},
                                    {"error", "status"});
  all["EvaluationFailure"] =
      object({{"error", type("string")}, {"job_id", type("string")}, {"status", type("string")}},
             {"error", "status"});
  return all;
}

}  // namespace wb
