// SPDX-License-Identifier: Apache-2.0
// What the original server answers was recorded from it: FastAPI 0.115.8, pydantic 2.10.6.
#include "core/jobs/evaluation/evaluation_request.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/jobs/evaluation/contract_metrics.h"
#include "core/jobs/evaluation/evaluation_job.h"
#include "core/jobs/evaluation/python_json.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {
namespace {

constexpr auto json = "application/json";

RefusedRequest refusal(EvaluationRoute route, std::string_view body, std::string_view type = json) {
  const auto read = readEvaluation(route, body, type);
  const auto* refused = std::get_if<RefusedRequest>(&read);
  EXPECT_NE(refused, nullptr) << body;
  return refused ? *refused : RefusedRequest{};
}

EvaluationRequest taken(EvaluationRoute route, std::string_view body) {
  const auto read = readEvaluation(route, body, json);
  const auto* request = std::get_if<EvaluationRequest>(&read);
  EXPECT_NE(request, nullptr) << body << "\n" << (request ? "" : std::get<RefusedRequest>(read).body);
  return request ? *request : EvaluationRequest{};
}

std::string evaluate(std::string_view kernel, std::string_view more = "") {
  return "{\"kernel\":" + std::string(kernel) + std::string(more) + "}";
}

std::string invalid(std::string_view errors) {
  return "{\"error\":\"Invalid request format\",\"validation_errors\":[" + std::string(errors) +
         "],\"status\":\"client_error\"}";
}

std::string fault(std::string_view field, std::string_view message, std::string_view type) {
  return "{\"field\":\"" + std::string(field) + "\",\"message\":\"" + std::string(message) +
         "\",\"type\":\"" + std::string(type) + "\"}";
}

constexpr const char* torchKernel = R"({"source_code":"x","kernel_type":"torch"})";

TEST(EvaluationRequest, HasStandards) {
  const EvaluationRequest request =
      taken(EvaluationRoute::evaluate, evaluate(torchKernel, R"(,"index":"test")"));
  EXPECT_FALSE(request.reference);
  EXPECT_EQ(request.kernel, (KernelCode{"x", "torch", "", ""}));
  EXPECT_EQ(request.numTrials, 100);
  EXPECT_EQ(request.timeoutSeconds, 120);
  EXPECT_EQ(request.atol, 1e-2);
  EXPECT_EQ(request.deviceMetrics, std::nullopt);
}

TEST(EvaluationRequest, ConvertsAsPydanticDoes) {
  const auto trials = [](std::string_view written) {
    return taken(EvaluationRoute::evaluate, evaluate(torchKernel, ",\"num_trials\":" + std::string(written)))
        .numTrials;
  };
  EXPECT_EQ(trials("\"12\""), 12);
  EXPECT_EQ(trials("2.0"), 2);
  EXPECT_EQ(trials("true"), 1);
  EXPECT_EQ(trials("\" +1_0.0 \""), 10);
  const EvaluationRequest compared =
      taken(EvaluationRoute::compare, std::string(R"({"ref_kernel":)") + torchKernel +
                                          R"(,"custom_kernel":)" + torchKernel +
                                          R"(,"atol":"1e-5","rtol":null,"collect_device_metrics":false})");
  EXPECT_EQ(compared.atol, 1e-5);
  EXPECT_EQ(compared.rtol, std::nullopt);
  EXPECT_EQ(compared.deviceMetrics, false);
}

TEST(EvaluationRequest, AsksForCountersUnderEitherName) {
  const auto wanted = [](std::string_view more) {
    return taken(EvaluationRoute::evaluate, evaluate(torchKernel, more)).deviceMetrics;
  };
  EXPECT_EQ(wanted(R"(,"enable_device_metrics":true)"), true);
  EXPECT_EQ(wanted(R"(,"collect_device_metrics":true)"), true);
  EXPECT_EQ(wanted(R"(,"enable_device_metrics":true,"collect_device_metrics":false)"), false);
  EXPECT_EQ(wanted(R"(,"enable_device_metrics":"yes")"), std::nullopt) << "the original ignores it";
}

TEST(EvaluationRequest, KeepsWholeNumbersOf64Bits) {
  const EvaluationRequest request =
      taken(EvaluationRoute::evaluate, evaluate(R"({"source_code":"x","kernel_type":"torch","io":{"args":[
        {"name":"a","type":"tensor","tensor_spec":{"shape":["0012"],"init":{"seed":18446744073709551615}}},
        {"name":"n","type":"int","value":-9223372036854775808}],
        "launch":{"grid":{"x":"1234567890123456789"}}}})"));
  const OrderedJson io = OrderedJson::parse(request.kernel.io);
  EXPECT_EQ(io["args"][0]["tensor_spec"]["shape"].dump(), "[12]");
  EXPECT_EQ(io["args"][0]["tensor_spec"]["init"]["seed"].dump(), "18446744073709551615");
  EXPECT_EQ(io["args"][1]["value"].dump(), "-9223372036854775808");
  EXPECT_EQ(io["launch"]["grid"]["x"].dump(), "1234567890123456789");
  EXPECT_EQ(
      refusal(EvaluationRoute::evaluate, evaluate(torchKernel, R"(,"timeout":18446744073709551615)")).body,
      R"({"error":"timeout cannot exceed 600 seconds","details":{"timeout":18446744073709551615},"status":"client_error"})");
}

TEST(EvaluationRequest, KeepsTheKindsOfScalars) {
  const EvaluationRequest request =
      taken(EvaluationRoute::evaluate, evaluate(R"({"source_code":"x","kernel_type":"cuda","io":{"args":[
        {"name":"a","type":"bool","value":true},{"name":"b","type":"float","value":2.0},
        {"name":"c","type":"float","value":3},{"name":"d","type":"str","value":"3"}],
        "launch":{"grid":{"x":"4"},"unknown":1}}})"));
  const OrderedJson io = OrderedJson::parse(request.kernel.io);
  EXPECT_EQ(io["args"][0]["value"].dump(), "true");
  EXPECT_EQ(io["args"][1]["value"].dump(), "2.0");
  EXPECT_EQ(io["args"][2]["value"].dump(), "3");
  EXPECT_EQ(io["args"][3]["value"].dump(), "\"3\"");
  EXPECT_EQ(io["args"][0]["role"], "input");
  EXPECT_EQ(
      io["launch"].dump(),
      R"({"grid":{"x":4,"y":1,"z":1},"block":null,"num_warps":null,"num_stages":null,"shared_memory_bytes":null})");
}

TEST(EvaluationRequest, MayBeATextThatIsEdited) {
  const std::string body = evaluate(torchKernel);
  EXPECT_TRUE(isEvaluationRequest("request.json", body));
  EXPECT_TRUE(isEvaluationRequest("request.json", R"({"kernel":1})")) << "it is one that is refused";
  EXPECT_FALSE(isEvaluationRequest("report.json", R"({"kernels":[]})"));
  EXPECT_FALSE(isEvaluationRequest("relu.py", body));
  JobRequest request;
  request.sources = {KernelSource{.path = "request.json", .text = body}};
  const Result<Job> job = makeJob(request);
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->suite, "request");
  EXPECT_EQ(job->kernels.at(0).path, "kernel.py");
}

TEST(EvaluationRequest, TakesExpressionsForGridAndBlock) {
  const auto withLaunch = [](const std::string& launch) {
    return evaluate(R"({"source_code":"x","kernel_type":"cuda","io":{"args":[
        {"name":"a","type":"tensor","tensor_spec":{"shape":[30,40]}},
        {"name":"n","type":"int","value":1200},{"name":"s","type":"float","value":2.5}],
        "launch":)" +
                    launch + "}}");
  };
  const EvaluationRequest request = taken(
      EvaluationRoute::evaluate,
      withLaunch(R"l({"grid":{"x":"cdiv(n, 256)","y":"a.shape[0]"},"block":{"x":"a.numel / 30 - 8"}})l"));
  const OrderedJson launch = OrderedJson::parse(request.kernel.io)["launch"];
  EXPECT_EQ(launch["grid"].dump(), R"({"x":5,"y":30,"z":1})");
  EXPECT_EQ(launch["block"].dump(), R"({"x":32,"y":1,"z":1})");
  const auto faultOf = [&](const std::string& wrong) {
    return OrderedJson::parse(
               refusal(EvaluationRoute::evaluate, withLaunch(R"({"grid":{"x":")" + wrong + R"("}})")).body)
        .at("validation_errors")
        .at(0);
  };
  const OrderedJson rest = faultOf("n / 7");
  EXPECT_EQ(rest["field"], "kernel -> io -> launch -> grid -> x");
  EXPECT_EQ(rest["message"], "Value error, 1200 / 7 leaves a rest: write 1200 // 7 or cdiv(1200, 7)");
  EXPECT_EQ(rest["type"], "value_error");
  EXPECT_EQ(faultOf("many")["type"], "int_parsing") << "as the original says it";
}

TEST(EvaluationRequest, NamesAllFieldsThatAreWrong) {
  EXPECT_EQ(refusal(EvaluationRoute::evaluate, "{}").body,
            invalid(fault("kernel", "Field required", "missing")));
  EXPECT_EQ(refusal(EvaluationRoute::compare, "{}").body,
            invalid(fault("ref_kernel", "Field required", "missing") + "," +
                    fault("custom_kernel", "Field required", "missing")));
  EXPECT_EQ(
      refusal(EvaluationRoute::evaluate,
              evaluate(R"({"source_code":1,"kernel_type":"TORCH","io":{"args":[{"name":"n"}]},"why":2})",
                       R"(,"num_trials":2.5,"timeout":null)"))
          .body,
      invalid(fault("kernel -> source_code", "Input should be a valid string", "string_type") + "," +
              fault("kernel -> kernel_type",
                    "Input should be 'torch', 'cuda', 'triton', 'torch_cuda' or 'multi_kernel'", "enum") +
              "," + fault("kernel -> io -> args -> 0 -> type", "Field required", "missing") + "," +
              fault("kernel -> why", "Extra inputs are not permitted", "extra_forbidden") + "," +
              fault("num_trials", "Input should be a valid integer, got a number with a fractional part",
                    "int_from_float") +
              "," + fault("timeout", "Input should be a valid integer", "int_type")));
  EXPECT_EQ(
      refusal(EvaluationRoute::evaluate, R"({"kernel":5,"num_trials":"many"})").body,
      invalid(fault("kernel", "Input should be a valid dictionary or instance of KernelCode", "model_type") +
              "," +
              fault("num_trials", "Input should be a valid integer, unable to parse string as an integer",
                    "int_parsing")));
  EXPECT_EQ(
      refusal(EvaluationRoute::evaluate,
              evaluate(R"({"source_code":"x","kernel_type":"torch","metadata":[],"io":{"args":5}})"))
          .body,
      invalid(
          fault("kernel -> io -> args", "Input should be a valid list", "list_type") + "," +
          fault("kernel -> metadata -> BaseKernelMetadata",
                "Input should be a valid dictionary or instance of BaseKernelMetadata", "model_type") +
          "," +
          fault("kernel -> metadata -> dict[str,any]", "Input should be a valid dictionary", "dict_type")));
  const RefusedRequest refused = refusal(EvaluationRoute::evaluate, "{}");
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(refused.hasNoCacheHeaders);
}

TEST(EvaluationRequest, ChecksBoundsAfterFields) {
  const auto said = [](std::string_view more) {
    return refusal(EvaluationRoute::evaluate, evaluate(R"({"source_code":"x","kernel_type":"triton"})", more))
        .body;
  };
  EXPECT_EQ(
      said(R"(,"num_trials":0,"timeout":4)"),
      R"({"error":"num_trials must be at least 1","details":{"num_trials":0},"status":"client_error"})");
  EXPECT_EQ(
      said(R"(,"num_trials":10001)"),
      R"({"error":"num_trials cannot exceed 10000","details":{"num_trials":10001},"status":"client_error"})");
  EXPECT_EQ(
      said(R"(,"timeout":4)"),
      R"({"error":"timeout must be at least 5 seconds","details":{"timeout":4},"status":"client_error"})");
  EXPECT_EQ(
      said(R"(,"timeout":601)"),
      R"({"error":"timeout cannot exceed 600 seconds","details":{"timeout":601},"status":"client_error"})");
  EXPECT_EQ(
      said(""),
      R"({"error":"Triton kernels require io_contract to be specified","details":{"kernel_type":"triton"},"status":"client_error"})");
  EXPECT_EQ(
      refusal(EvaluationRoute::compare, std::string(R"({"ref_kernel":)") + torchKernel +
                                            R"(,"custom_kernel":{"source_code":"x","kernel_type":"triton"}})")
          .body,
      R"({"error":"Triton kernels require io_contract to be specified","details":{"kernel":"custom_kernel","kernel_type":"triton"},"status":"client_error"})");
  taken(EvaluationRoute::evaluate,
        evaluate(R"({"source_code":"x","kernel_type":"triton","io":{"args":[]}})"));
}

TEST(EvaluationRequest, TakesTheOlderSpelling) {
  const EvaluationRequest request =
      taken(EvaluationRoute::compare, R"({"ref_code":"a","custom_code":"b","atol":5,"num_trials":"7"})");
  ASSERT_TRUE(request.reference);
  EXPECT_EQ(*request.reference, (KernelCode{"a", "torch", "", ""}));
  EXPECT_EQ(request.kernel, (KernelCode{"b", "torch_cuda", "", ""}));
  EXPECT_EQ(request.timeoutSeconds, 30);
  EXPECT_EQ(request.numTrials, 7);
  EXPECT_EQ(request.atol, 1e-2);
  EXPECT_EQ(refusal(EvaluationRoute::compare, R"({"ref_code":1,"custom_code":2})").body,
            invalid(fault("source_code", "Input should be a valid string", "string_type")));
  EXPECT_EQ(refusal(EvaluationRoute::evaluate, R"({"ref_code":"a","custom_code":"b"})").body,
            invalid(fault("kernel", "Field required", "missing")));
}

TEST(EvaluationRequest, SaysWhereABodyIsNoJson) {
  const auto said = [](std::string_view body, std::string_view type = json) {
    const RefusedRequest refused = refusal(EvaluationRoute::evaluate, body, type);
    EXPECT_EQ(refused.hasNoCacheHeaders, refused.body.starts_with("{\"error\""));
    return std::to_string(refused.status) + " " + refused.body;
  };
  const auto broken = [](int position, std::string_view why) {
    return "422 {\"detail\":[{\"type\":\"json_invalid\",\"loc\":[\"body\"," + std::to_string(position) +
           "],\"msg\":\"JSON decode error\",\"input\":{},\"ctx\":{\"error\":\"" + std::string(why) + "\"}}]}";
  };
  EXPECT_EQ(said("{"), broken(1, "Expecting property name enclosed in double quotes"));
  EXPECT_EQ(said("nope"), broken(0, "Expecting value"));
  EXPECT_EQ(said(R"({"ä" 1})"), broken(5, "Expecting ':' delimiter"));
  EXPECT_EQ(said(R"({"a":1 "b"})"), broken(7, "Expecting ',' delimiter"));
  EXPECT_EQ(said(R"({"a":1,})"), broken(7, "Expecting property name enclosed in double quotes"));
  EXPECT_EQ(said("[1,"), broken(3, "Expecting value"));
  EXPECT_EQ(said("{} x"), broken(3, "Extra data"));
  EXPECT_EQ(said(R"(["a)"), broken(1, "Unterminated string starting at"));
  EXPECT_EQ(said("[\"a\nb\"]"), broken(3, "Invalid control character at"));
  EXPECT_EQ(said(R"(["\q"])"), broken(2, "Invalid \\\\escape"));
  EXPECT_EQ(said(R"(["\u12x4"])"), broken(3, "Invalid \\\\uXXXX escape"));
  constexpr auto missing =
      R"(422 {"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]})";
  EXPECT_EQ(said(""), missing);
  EXPECT_EQ(said("null"), missing);
  const auto noObject = [](std::string_view input) {
    return R"(422 {"detail":[{"type":"dict_type","loc":["body"],"msg":"Input should be a valid dictionary","input":)" +
           std::string(input) + "}]}";
  };
  EXPECT_EQ(said("[1, 2.5]"), noObject("[1,2.5]"));
  EXPECT_EQ(said("\"x\""), noObject("\"x\""));
  EXPECT_EQ(said("a=1", "application/x-www-form-urlencoded"), noObject("\"a=1\""));
  EXPECT_EQ(said("{}", "application/problem+json; charset=utf-8").substr(0, 3), "400");
  constexpr auto unreadable = R"(400 {"detail":"There was an error parsing the body"})";
  EXPECT_EQ(said("\xff"), unreadable);
  EXPECT_EQ(said(std::string(100000, '[')), unreadable);
}

TEST(EvaluationRequest, ReadsEveryTextWithoutHarm) {
  const std::string whole =
      R"({"ref_kernel":{"source_code":"a\u00e4\ud83d\ude00","kernel_type":"torch","io":{"args":[{"name":"x","type":"tensor","tensor_spec":{"shape":[2,-3],"dtype":"float32","init":{"kind":"randn","seed":1e3},"data":null},"value":null,"is_meta":"yes"}],"launch":{"grid":{"x":1}}},"metadata":{"a":[{}]}},"custom_kernel":{"source_code":"b","kernel_type":"triton","io":{"args":[]}},"num_trials":10,"timeout":30,"atol":NaN})";
  taken(EvaluationRoute::compare, whole);
  std::mt19937 random(12);
  const std::string bytes = "{}[]\",:0123456789.eE+-ntfaul\\ \xff\x01";
  constexpr int rounds = 3000;
  int refusals = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string body = whole;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % body.size();
      if (random() % 3 == 0)
        body.erase(at, 1 + random() % 40);
      else if (random() % 2 == 0)
        body[at] = bytes[random() % bytes.size()];
      else
        body.insert(at, body.substr(random() % body.size(), random() % 30));
      if (body.empty()) body = "x";
    }
    const auto read = readEvaluation(EvaluationRoute::compare, body, json);
    if (const auto* refused = std::get_if<RefusedRequest>(&read)) {
      ++refusals;
      EXPECT_TRUE(OrderedJson::parse(refused->body).is_object()) << body;
      EXPECT_TRUE(refused->status == 400 || refused->status == 422);
    } else {
      EXPECT_FALSE(evaluationJob(std::get<EvaluationRequest>(read), "cpu", false).sources.empty());
    }
  }
  EXPECT_GT(refusals, rounds / 2);
}

TEST(EvaluationRequest, BecomesAProblemOfItsOwn) {
  EvaluationRequest request = taken(EvaluationRoute::evaluate, evaluate(torchKernel));
  const auto planned = planJob(evaluationJob(request, "cpu", true));
  ASSERT_TRUE(planned) << planned.error().text;
  ASSERT_EQ(planned->job.kernels.size(), 1U);
  EXPECT_TRUE(planned->job.cases.empty());
  EXPECT_FALSE(planned->job.kernels[0].referenceText.empty());
  EXPECT_EQ(planned->job.kernels[0].language, "python");
  EXPECT_FALSE(planned->job.stages.has(Stage::profile)) << "there are no counters on a CPU";
  EXPECT_TRUE(evaluationJob(request, "cuda:0", true).stages.has(Stage::profile));
  request.deviceMetrics = false;
  EXPECT_FALSE(evaluationJob(request, "cuda:0", true).stages.has(Stage::profile));
}

TEST(EvaluationRequest, WhatTheContractNamesIsCountedAndNothingElse) {
  EvaluationRequest request = taken(EvaluationRoute::evaluate, evaluate(torchKernel));
  request.deviceMetrics = true;
  const std::vector<std::string> counted =
      metricsOf(evaluationJob(request, "cuda:0", false).profile.sections);
  std::set<std::string> needed;
  for (const ContractMetric& each : contractMetrics()) {
    if (std::string_view(each.metric).starts_with("launch:")) continue;
    const MetricInfo* info = metricInfo(each.metric);
    ASSERT_NE(info, nullptr) << each.metric;
    if (info->formula.empty()) needed.insert(info->name);
    for (const std::string& input : formulaInputs(info->formula)) needed.insert(input);
  }
  EXPECT_EQ(std::set<std::string>(counted.begin(), counted.end()), needed);
  EXPECT_EQ(counted.size(), needed.size()) << "each is counted once";
}

TEST(EvaluationRequest, MoreTrialsWantTheRatioMoreExactly) {
  EvaluationRequest request = taken(EvaluationRoute::evaluate, evaluate(torchKernel));
  const auto timing = [&](int trials) {
    request.numTrials = trials;
    request.asksTrials = true;
    return evaluationJob(request, "cpu", false).timing;
  };
  EXPECT_DOUBLE_EQ(timing(100).targetHalfWidth, 0.02);
  EXPECT_DOUBLE_EQ(timing(400).targetHalfWidth, 0.01);
  EXPECT_DOUBLE_EQ(timing(1).targetHalfWidth, 0.1);
  EXPECT_DOUBLE_EQ(timing(10000).targetHalfWidth, 0.005);
  EXPECT_DOUBLE_EQ(timing(1).capSeconds, 0.02);
  EXPECT_DOUBLE_EQ(timing(100).capSeconds, 0.05);
  EXPECT_DOUBLE_EQ(timing(10000).capSeconds, 5);
}

TEST(EvaluationRequest, WhoAsksForNoNumberOfTrialsGetsAQuickTime) {
  const auto timing = [](const std::string& more) {
    const EvaluationRequest request = taken(EvaluationRoute::evaluate, evaluate(torchKernel, more));
    EXPECT_EQ(request.numTrials, 100);
    return evaluationJob(request, "cpu", false).timing;
  };
  EXPECT_EQ(timing(""), (TimingPlan{0.008, 0.05}));
  EXPECT_EQ(timing(R"(,"num_trials":100)"), (TimingPlan{0.05, 0.02}));
}

TEST(EvaluationRequest, IsTakenFromAFile) {
  EXPECT_FALSE(readEvaluationFile("{\"kernels\": []}"));
  EXPECT_FALSE(readEvaluationFile("no json"));
  const auto read = readEvaluationFile(evaluate(torchKernel));
  ASSERT_TRUE(read);
  EXPECT_TRUE(std::holds_alternative<EvaluationRequest>(*read));
}

}  // namespace
}  // namespace wb
