// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/evaluation_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/jobs/evaluation/grid_expression.h"
#include "core/jobs/evaluation/model_reader.h"
#include "core/jobs/evaluation/python_json.h"

namespace wb {
namespace {

constexpr int standardTrials = 100, standardTimeout = 120, olderTimeout = 30;
constexpr double standardTolerance = 1e-2;

// The models of a request, field by field in the order in which the original declares them.

OrderedJson readData(ModelReader& read, const OrderedJson& value) {
  return read.model(value, "TensorData", [&](FieldReader& fields) {
    const auto text = [&](const OrderedJson& v) { return read.string(v); };
    fields.required("data_b64", text);
    fields.standard("dtype", "float32", text);
    fields.standard("shape", OrderedJson::array(), [&](const OrderedJson& v) {
      return read.list(v, [&](const OrderedJson& each) { return read.integer(each); });
    });
    fields.standard("compress", "none", text);
  });
}

OrderedJson readInit(ModelReader& read, const OrderedJson& value) {
  return read.model(value, "TensorInit", [&](FieldReader& fields) {
    fields.standard("kind", "randn", [&](const OrderedJson& v) { return read.string(v); });
    fields.standard("seed", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return read.integer(w); });
    });
    for (const char* name : {"mean", "std", "low", "high", "fill_value", "start", "step"})
      fields.standard(name, nullptr, [&](const OrderedJson& v) {
        return read.optional(v, [&](const OrderedJson& w) { return read.real(w); });
      });
  });
}

OrderedJson readSpec(ModelReader& read, const OrderedJson& value) {
  return read.model(value, "TensorSpec", [&](FieldReader& fields) {
    fields.standard("shape", OrderedJson::array(), [&](const OrderedJson& v) {
      return read.list(v, [&](const OrderedJson& each) { return read.integer(each); });
    });
    fields.standard("dtype", "float32", [&](const OrderedJson& v) { return read.string(v); });
    fields.standard("init", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return readInit(read, w); });
    });
    fields.standard("data", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return readData(read, w); });
    });
  });
}

OrderedJson readArgument(ModelReader& read, const OrderedJson& value) {
  return read.model(value, "ArgSpec", [&](FieldReader& fields) {
    const auto text = [&](const OrderedJson& v) { return read.string(v); };
    fields.required("name", text);
    fields.required("type", text);
    fields.standard("value", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return read.scalar(w); });
    });
    fields.standard("tensor_spec", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return readSpec(read, w); });
    });
    fields.standard("role", "input", text);
    fields.standard("is_meta", false, [&](const OrderedJson& v) { return read.truth(v); });
  });
}

using Numbers = std::map<std::string, std::int64_t>;

/// The whole numbers among a contract's arguments, and the shapes of its tensors, by their names in
/// expressions.
Numbers numbersOf(const OrderedJson& arguments) {
  Numbers numbers;
  for (const OrderedJson& each : arguments) {
    const std::string name = each.at("name").is_string() ? each.at("name").get<std::string>() : "";
    if (each.at("value").is_number_integer()) numbers[name] = signedNumber(each.at("value"));
    if (each.at("tensor_spec").is_null()) continue;
    const OrderedJson& shape = each.at("tensor_spec").at("shape");
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::int64_t size = numbers[fmt::format("{}.shape[{}]", name, i)] = signedNumber(shape[i]);
      if (__builtin_mul_overflow(elements, size, &elements)) elements = 0;
    }
    numbers[name + ".numel"] = elements;
  }
  return numbers;
}

/// Where a number of blocks or threads is no number, it is an expression. The original refuses these, in the
/// words that stand here for what is neither.
OrderedJson readSize(ModelReader& read, const OrderedJson& value, const Numbers& numbers) {
  if (!value.is_string()) return read.integer(value);
  const auto& text = value.get_ref<const std::string&>();
  const bool isExpression = numbers.contains(text) || text.find_first_of("*/%(+-", 1) != std::string::npos;
  if (!isExpression) return read.integer(value);
  const Result<std::int64_t> number = gridNumber(text, numbers);
  if (!number) read.fault("Value error, " + number.error().text, "value_error");
  return number ? *number : 0;
}

OrderedJson readDimensions(ModelReader& read, const OrderedJson& value, const Numbers& numbers) {
  return read.model(value, "LaunchDim", [&](FieldReader& fields) {
    for (const char* name : {"x", "y", "z"})
      fields.standard(name, 1, [&](const OrderedJson& v) { return readSize(read, v, numbers); });
  });
}

OrderedJson readLaunch(ModelReader& read, const OrderedJson& value, const Numbers& numbers) {
  return read.model(value, "LaunchConfig", [&](FieldReader& fields) {
    for (const char* name : {"grid", "block"})
      fields.standard(name, nullptr, [&](const OrderedJson& v) {
        return read.optional(v, [&](const OrderedJson& w) { return readDimensions(read, w, numbers); });
      });
    // The last one is ours: the original has no dynamic shared memory.
    for (const char* name : {"num_warps", "num_stages", "shared_memory_bytes"})
      fields.standard(name, nullptr, [&](const OrderedJson& v) {
        return read.optional(v, [&](const OrderedJson& w) { return read.integer(w); });
      });
  });
}

OrderedJson readContract(ModelReader& read, const OrderedJson& value) {
  return read.model(value, "IOContract", [&](FieldReader& fields) {
    Numbers numbers;
    fields.required("args", [&](const OrderedJson& v) {
      const std::size_t faults = read.faults().size();
      OrderedJson arguments = read.list(v, [&](const OrderedJson& each) { return readArgument(read, each); });
      if (read.faults().size() == faults) numbers = numbersOf(arguments);
      return arguments;
    });
    fields.standard("launch", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return readLaunch(read, w, numbers); });
    });
  });
}

OrderedJson readKernel(ModelReader& read, const OrderedJson& value) {
  return read.model(value, "KernelCode", [&](FieldReader& fields) {
    fields.required("source_code", [&](const OrderedJson& v) { return read.string(v); });
    fields.required("kernel_type", [&](const OrderedJson& v) { return read.kernelType(v); });
    fields.standard("io", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return readContract(read, w); });
    });
    fields.standard("metadata", nullptr, [&](const OrderedJson& v) {
      return read.optional(v, [&](const OrderedJson& w) { return read.metadata(w); });
    });
    fields.forbidOthers();
  });
}

OrderedJson readRequest(ModelReader& read, EvaluationRoute route, const OrderedJson& body) {
  FieldReader fields(read, body);
  const auto kernel = [&](const OrderedJson& v) { return readKernel(read, v); };
  if (route == EvaluationRoute::compare) {
    fields.required("ref_kernel", kernel);
    fields.required("custom_kernel", kernel);
  } else {
    fields.required("kernel", kernel);
  }
  const auto integer = [&](const OrderedJson& v) { return read.integer(v); };
  fields.standard("num_trials", standardTrials, integer);
  fields.standard("timeout", standardTimeout, integer);
  if (route == EvaluationRoute::compare)
    for (const char* name : {"atol", "rtol"})
      fields.standard(name, standardTolerance, [&](const OrderedJson& v) {
        return read.optional(v, [&](const OrderedJson& w) { return read.real(w); });
      });
  return fields.made();
}

/// The older spelling, which has both sources and no kernels: {"ref_code": …, "custom_code": …}.
bool isOlder(const OrderedJson& body) {
  return body.contains("ref_code") && body.contains("custom_code");
}

/// The same in today's spelling; the original reads source after source, and stops at the first that is none.
OrderedJson readOlder(ModelReader& read, const OrderedJson& body) {
  OrderedJson request = OrderedJson::object();
  const auto take = [&](const char* from, const char* into, const char* type) {
    const OrderedJson kernel{{"source_code", body.at(from)}, {"kernel_type", type}};
    if (read.faults().empty()) request[into] = readKernel(read, kernel);
  };
  take("ref_code", "ref_kernel", "torch");
  take("custom_code", "custom_kernel", "torch_cuda");
  if (!read.faults().empty()) return {};
  request["num_trials"] = body.contains("num_trials") ? body.at("num_trials") : OrderedJson(standardTrials);
  request["timeout"] = body.contains("timeout") ? body.at("timeout") : OrderedJson(olderTimeout);
  return readRequest(read, EvaluationRoute::compare, request);
}

// What is refused.

RefusedRequest invalidFormat(const std::vector<FieldFault>& faults) {
  OrderedJson errors = OrderedJson::array();
  for (const FieldFault& each : faults)
    errors.push_back({{"field", each.field}, {"message", each.message}, {"type", each.type}});
  const OrderedJson body{{"error", "Invalid request format"},
                         {"validation_errors", std::move(errors)},
                         {"status", "client_error"}};
  return {400, compactText(body), true};
}

RefusedRequest clientError(const std::string& message, OrderedJson details) {
  const OrderedJson body{{"error", message}, {"details", std::move(details)}, {"status", "client_error"}};
  return {400, compactText(body), true};
}

RefusedRequest notAnObject(OrderedJson error) {
  return {422, compactText(OrderedJson{{"detail", OrderedJson::array({std::move(error)})}}), false};
}

RefusedRequest noObject(OrderedJson input) {
  return notAnObject({{"type", "dict_type"},
                      {"loc", OrderedJson::array({"body"})},
                      {"msg", "Input should be a valid dictionary"},
                      {"input", std::move(input)}});
}

RefusedRequest noBody() {
  return notAnObject({{"type", "missing"},
                      {"loc", OrderedJson::array({"body"})},
                      {"msg", "Field required"},
                      {"input", nullptr}});
}

RefusedRequest badJson(const JsonFault& fault) {
  if (fault.isUnreadable) return {400, R"({"detail":"There was an error parsing the body"})", false};
  return notAnObject({{"type", "json_invalid"},
                      {"loc", OrderedJson::array({"body", fault.position})},
                      {"msg", "JSON decode error"},
                      {"input", OrderedJson::object()},
                      {"ctx", {{"error", fault.message}}}});
}

/// Whether a header's value means JSON: "application/json", "application/problem+json; charset=utf-8".
bool meansJson(std::string_view contentType) {
  std::string kind(contentType.substr(0, contentType.find(';')));
  std::erase_if(kind, [](unsigned char c) { return std::isspace(c) != 0; });
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!kind.starts_with("application/")) return kind.empty();
  return kind == "application/json" || kind.ends_with("+json");
}

// What is taken.

KernelCode kernelOf(const OrderedJson& made) {
  KernelCode kernel;
  kernel.source = made.at("source_code").get<std::string>();
  kernel.type = made.at("kernel_type").get<std::string>();
  if (!made.at("io").is_null()) kernel.io = compactText(made.at("io"));
  if (!made.at("metadata").is_null()) kernel.metadata = compactText(made.at("metadata"));
  return kernel;
}

std::optional<RefusedRequest> outOfBounds(const OrderedJson& made) {
  const std::int64_t trials = signedNumber(made.at("num_trials")), timeout = signedNumber(made.at("timeout"));
  const auto refused = [&](const char* message, const char* name) {
    return clientError(message, {{name, made.at(name)}});
  };
  if (trials < 1) return refused("num_trials must be at least 1", "num_trials");
  if (trials > 10000) return refused("num_trials cannot exceed 10000", "num_trials");
  if (timeout < 5) return refused("timeout must be at least 5 seconds", "timeout");
  if (timeout > 600) return refused("timeout cannot exceed 600 seconds", "timeout");
  return std::nullopt;
}

std::optional<RefusedRequest> tritonWithoutContract(EvaluationRoute route, const EvaluationRequest& request) {
  const auto lacks = [](const KernelCode& kernel) { return kernel.type == "triton" && kernel.io.empty(); };
  constexpr const char* message = "Triton kernels require io_contract to be specified";
  if (request.reference && lacks(*request.reference))
    return clientError(message, {{"kernel", "ref_kernel"}, {"kernel_type", "triton"}});
  if (!lacks(request.kernel)) return std::nullopt;
  if (route == EvaluationRoute::evaluate) return clientError(message, {{"kernel_type", "triton"}});
  return clientError(message, {{"kernel", "custom_kernel"}, {"kernel_type", "triton"}});
}

std::optional<double> toleranceOf(const OrderedJson& made, const char* name) {
  const auto found = made.find(name);
  if (found == made.end()) return standardTolerance;
  return found->is_null() ? std::nullopt : std::optional(found->get<double>());
}

std::variant<EvaluationRequest, RefusedRequest> readObject(EvaluationRoute route, const OrderedJson& body) {
  ModelReader read;
  const bool older = route == EvaluationRoute::compare && isOlder(body);
  const OrderedJson made = older ? readOlder(read, body) : readRequest(read, route, body);
  if (!read.faults().empty()) return invalidFormat(read.faults());
  if (auto refused = outOfBounds(made)) return *std::move(refused);
  EvaluationRequest request;
  if (route == EvaluationRoute::compare) request.reference = kernelOf(made.at("ref_kernel"));
  request.kernel = kernelOf(made.at(request.reference ? "custom_kernel" : "kernel"));
  request.numTrials = made.at("num_trials").get<int>();
  request.asksTrials = body.contains("num_trials");
  request.timeoutSeconds = made.at("timeout").get<int>();
  request.atol = toleranceOf(made, "atol");
  request.rtol = toleranceOf(made, "rtol");
  // The original's clients send either of these, which it ignores.
  for (const char* name : {"enable_device_metrics", "collect_device_metrics"})
    if (const auto wanted = body.find(name); wanted != body.end() && wanted->is_boolean())
      request.deviceMetrics = wanted->get<bool>();
  if (auto refused = tritonWithoutContract(route, request)) return *std::move(refused);
  return request;
}

}  // namespace

std::variant<EvaluationRequest, RefusedRequest> readEvaluation(EvaluationRoute route, std::string_view body,
                                                               std::string_view contentType) {
  if (body.empty()) return noBody();
  if (!meansJson(contentType)) {
    if (!isUtf8(body)) return badJson({"", 0, true});
    return noObject(std::string(body));
  }
  const auto parsed = parseLikePython(body);
  if (const auto* fault = std::get_if<JsonFault>(&parsed)) return badJson(*fault);
  const auto& value = std::get<OrderedJson>(parsed);
  if (value.is_null()) return noBody();
  if (!value.is_object()) return noObject(value);
  return readObject(route, value);
}

std::optional<std::variant<EvaluationRequest, RefusedRequest>> readEvaluationFile(std::string_view text) {
  const auto parsed = parseLikePython(text);
  const auto* value = std::get_if<OrderedJson>(&parsed);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  if (value->contains("ref_kernel") || value->contains("custom_kernel") || isOlder(*value))
    return readObject(EvaluationRoute::compare, *value);
  if (value->contains("kernel")) return readObject(EvaluationRoute::evaluate, *value);
  return std::nullopt;
}

}  // namespace wb
