// SPDX-License-Identifier: Apache-2.0
// Requests of the evaluation server in the real worker, on the CPU, and what is answered to them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/jobs/evaluation/evaluation_job.h"
#include "core/service/evaluation/evaluation_answer.h"
#include "tests/engine/real_worker.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* addition = R"(
import torch
import torch.nn as nn

class Model(nn.Module):
    def forward(self, a, b):
        return a + b
)";

Json tensor(const std::string& name, Json shape, Json init = nullptr, const std::string& role = "input") {
  return {{"name", name},
          {"type", "tensor"},
          {"role", role},
          {"tensor_spec", {{"shape", std::move(shape)}, {"dtype", "float32"}, {"init", std::move(init)}}}};
}

Json kernel(const std::string& type, const std::string& source, Json arguments = nullptr,
            Json metadata = nullptr) {
  Json made{{"source_code", source}, {"kernel_type", type}};
  if (!arguments.is_null()) made["io"] = {{"args", std::move(arguments)}};
  if (!metadata.is_null()) made["metadata"] = std::move(metadata);
  return made;
}

Json seeded(int seed) {
  return {{"kind", "randn"}, {"seed", seed}};
}

class Requests : public RealWorker {
 protected:
  static Json answer(const Json& body) {
    const auto read = readEvaluation(
        body.contains("kernel") ? EvaluationRoute::evaluate : EvaluationRoute::compare, body.dump(), "");
    if (const auto* refused = std::get_if<RefusedRequest>(&read)) {
      ADD_FAILURE() << refused->body;
      return {};
    }
    const auto& request = std::get<EvaluationRequest>(read);
    const Result<Job> job = makeJob(evaluationJob(request, "cpu", true));
    if (!job) {
      ADD_FAILURE() << describe(job.error());
      return {};
    }
    return evaluationAnswer(request, "id", run(*job), {"pod", "127.0.0.1"});
  }
  static Json evaluate(Json kernel) { return answer({{"kernel", std::move(kernel)}, {"num_trials", 20}}); }
  static Json compare(Json ref, Json custom, double tolerance = 1e-2) {
    return answer({{"ref_kernel", std::move(ref)},
                   {"custom_kernel", std::move(custom)},
                   {"num_trials", 20},
                   {"atol", tolerance},
                   {"rtol", tolerance}});
  }
  static void expectGood(const Json& body) {
    const Json& result = body["kernel_exec_result"];
    EXPECT_EQ(result["compiled"], true) << result.dump(1);
    EXPECT_EQ(result["correctness"], true) << result.dump(1);
    ASSERT_TRUE(result.contains("runtime_stats")) << result.dump(1);
    const Json& stats = result["runtime_stats"];
    EXPECT_GT(stats["mean"].get<double>(), 0);
    EXPECT_EQ(result["runtime"], stats["mean"]);
    EXPECT_LE(stats["min"].get<double>(), stats["median"].get<double>());
    EXPECT_LE(stats["median"].get<double>(), stats["percentile_95"].get<double>());
    EXPECT_LE(stats["percentile_95"].get<double>(), stats["percentile_99"].get<double>());
    EXPECT_LE(stats["percentile_99"].get<double>(), stats["max"].get<double>());
  }
  static std::string validationError(const Json& body) {
    const Json& result = body["kernel_exec_result"];
    EXPECT_EQ(result["compiled"], true) << result.dump(1);
    EXPECT_EQ(result["correctness"], false) << result.dump(1);
    EXPECT_EQ(result["runtime"], 0.0);
    return result.value("validation_error", "");
  }
  static std::string compilationError(const Json& body) {
    const Json& result = body["kernel_exec_result"];
    EXPECT_EQ(result["compiled"], false) << result.dump(1);
    return result.value("compilation_error", "");
  }
};

TEST_F(Requests, SeedsGiveTheNumbersOfTorchsOwnGenerator) {
  // What torch.randn(4) gives after torch.manual_seed().
  const std::vector<std::pair<int, std::string>> expected{{42, "given 0.33669 0.12881 0.23446 0.23033"},
                                                          {0, "given 1.54100 -0.29343 -2.17879 0.56843"}};
  const std::string prints =
      "def run(x):\n    print('given ' + ' '.join(f'{each:.5f}' for each in x.tolist()))\n    return x * 1\n";
  for (const auto& [seed, numbers] : expected) {
    const Json inputs = Json::array({tensor("x", {4}, seeded(seed))}), entry{{"entry_point", "run"}};
    const auto read = readEvaluation(
        EvaluationRoute::compare,
        Json{{"ref_kernel", kernel("multi_kernel", "def run(x):\n    return x * 1\n", inputs, entry)},
             {"custom_kernel", kernel("multi_kernel", prints, inputs, entry)}}
            .dump(),
        "");
    const Report report = run(*makeJob(evaluationJob(std::get<EvaluationRequest>(read), "cpu", true)));
    std::string printed;
    for (std::size_t i = 0; i < report.log.size(); ++i) printed += report.log[i].text;
    EXPECT_THAT(printed, HasSubstr(numbers));
  }
}

TEST_F(Requests, ATorchKernelIsEvaluatedAndCompared) {
  const Json arguments{tensor("a", {64}, seeded(1)), tensor("b", {64}, {{"kind", "ones"}})};
  const Json alone = evaluate(kernel("torch", addition, arguments));
  expectGood(alone);
  EXPECT_FALSE(alone.contains("ref_runtime"));
  EXPECT_EQ(alone["kernel_exec_result"]["metadata"]["gpu_id"], 0);
  const Json same{tensor("a", {64}, seeded(1)), tensor("b", {64}, {{"kind", "full"}, {"fill_value", 1}})};
  const Json both = compare(kernel("torch", addition, arguments), kernel("torch", addition, same));
  expectGood(both);
  EXPECT_GT(both["ref_runtime"]["mean"].get<double>(), 0);
}

TEST_F(Requests, WhoseInputsAreTheSameEachTimeAreCheckedTwiceAndNotAThirdTime) {
  const std::string counting =
      "import torch\nimport torch.nn as nn\ncalls = 0\nclass Model(nn.Module):\n    def forward(self, a):\n"
      "        global calls\n        calls += 1\n        assert calls < 3, 'a third call'\n        return a "
      "+ 1\n";
  const std::string reference =
      "import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n    def forward(self, a):\n"
      "        return a + 1\n";
  const std::string drawing = "def get_inputs():\n    return [torch.randn(64)]\n";
  const auto checked = [](const Json& ref, const Json& custom) {
    const Json body{{"ref_kernel", ref}, {"custom_kernel", custom}};
    const auto read = readEvaluation(EvaluationRoute::compare, body.dump(), "");
    Result<Job> job = makeJob(evaluationJob(std::get<EvaluationRequest>(read), "cpu", false));
    job->stages.remove(Stage::time);
    return run(*job).kernels.at(0)->cases[0].check;
  };
  const Json same = Json::array({tensor("a", {64}, seeded(1))});
  const CaseCheck once = checked(kernel("torch", reference, same), kernel("torch", counting, same));
  EXPECT_EQ(once.verdict, Verdict::pass) << once.message;
  const CaseCheck drawn = checked(kernel("torch", reference + drawing), kernel("torch", counting));
  EXPECT_EQ(drawn.verdict, Verdict::threw) << "other contents are asked for a third time";
  EXPECT_THAT(drawn.message, HasSubstr("a third call"));
}

TEST_F(Requests, WithoutInputsSayWhatTheyLack) {
  const auto errorOf = [](Json arguments) {
    return evaluate(kernel("torch", addition, std::move(arguments)))["kernel_exec_result"].value(
        "compilation_error", "");
  };
  EXPECT_THAT(errorOf(nullptr), HasSubstr("or send an io"));
  EXPECT_THAT(errorOf(Json::array()), HasSubstr("the io that was sent has no args"));
}

TEST_F(Requests, ALaterOneFindsNoModulesOfEarlierOnes) {
  const std::string counting =
      "import sys\nthere = [each for each in sys.modules if each.startswith('warpbench_kernel_')]\n"
      "assert len(there) <= 4, there\n";
  const Json arguments{tensor("a", {8}, seeded(1)), tensor("b", {8}, seeded(2))};
  for (int request = 0; request < 3; ++request)
    expectGood(evaluate(kernel("torch", counting + addition, arguments)));
}

TEST_F(Requests, ModelsOfKernelBenchHaveTheSameParameters) {
  const std::string reference =
      "import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n    def __init__(self, n):\n"
      "        super().__init__()\n        self.layer = nn.Linear(n, n)\n    def forward(self, x):\n"
      "        return self.layer(x)\ndef get_inputs():\n    return [torch.randn(4, 8)]\n"
      "def get_init_inputs():\n    return [8]\n";
  std::string custom = reference.substr(0, reference.find("def get_inputs"));
  custom.replace(custom.find("Model("), 5, "ModelNew");
  expectGood(compare(kernel("torch", reference), kernel("torch_cuda", custom)));
}

TEST_F(Requests, ASequenceOfKernelsIsItsEntryPoint) {
  const std::string source = "import torch\ndef run(x, y, s):\n    return {'sum': x + y, 'rest': [x * s]}\n";
  const Json arguments{tensor("x", {16}, seeded(42)),
                       tensor("y", {16}, {{"kind", "uniform"}}),
                       {{"name", "s"}, {"type", "float"}, {"value", 2.5}}};
  expectGood(evaluate(kernel("multi_kernel", source, arguments, {{"entry_point", "run"}})));
  EXPECT_THAT(compilationError(evaluate(kernel("multi_kernel", source, arguments, {{"entry_point", "go"}}))),
              HasSubstr("Entry point 'go' not found in source. Available: ['run', 'torch']"));
  EXPECT_THAT(compilationError(evaluate(kernel("multi_kernel", source, arguments))),
              HasSubstr("Metadata with 'entry_point' is required"));
}

TEST_F(Requests, OutputsThatAKernelAddsToStartAnewEachTime) {
  const Json out = tensor("out", {32}, {{"kind", "full"}, {"fill_value", 3}}, "output");
  const Json arguments{tensor("x", {32}, {{"kind", "arange"}}), out};
  const auto made = [&](const char* body) {
    return kernel("multi_kernel", std::string("def run(x, out):\n    ") + body + "\n", arguments,
                  {{"entry_point", "run"}});
  };
  expectGood(compare(made("return x + 3"), made("out.add_(x)")));
  expectGood(compare(made("return x * 2"), made("out.copy_(x * 2)")));
  EXPECT_THAT(validationError(compare(made("return x"), made("out.add_(x)"))),
              StartsWith("Numerical outputs don't match within tolerance. Trials passed: 0/2. Max "
                         "difference: 3.0e+00, "));
}

TEST_F(Requests, AnInterpretedTritonKernelIsRightAndNotTimed) {
  const std::string source =
      "import triton\nimport triton.language as tl\n@triton.jit\ndef add(x, y, out, n, B: tl.constexpr):\n"
      "    at = tl.program_id(0) * B + tl.arange(0, B)\n    there = at < n\n"
      "    tl.store(out + at, tl.load(x + at, there) + tl.load(y + at, there), there)\n";
  const Json inputs{tensor("x", {100}, seeded(1)), tensor("y", {100}, seeded(2))};
  Json custom = kernel("triton", source, inputs);
  custom["io"]["args"].push_back(tensor("out", {100}, nullptr, "output"));
  custom["io"]["args"].push_back({{"name", "n"}, {"type", "int"}, {"value", 100}});
  custom["io"]["args"].push_back({{"name", "B"}, {"type", "int"}, {"value", 32}, {"is_meta", true}});
  custom["io"]["launch"] = {{"grid", {{"x", 4}}}, {"num_warps", 2}};
  const Json body = compare(kernel("torch", addition, inputs), custom);
  EXPECT_EQ(body["kernel_exec_result"]["correctness"], true) << body.dump(1);
  EXPECT_EQ(body["kernel_exec_result"]["runtime"], 0.0);
  EXPECT_THAT(body["kernel_exec_result"]["metadata"].value("not_timed", ""), HasSubstr("Interpreted"));
  EXPECT_EQ(body["ref_runtime"]["mean"], 0.0);
  custom["metadata"] = {{"kernel_name", "mul"}};
  EXPECT_THAT(compilationError(evaluate(custom)), HasSubstr("Kernel 'mul' not found. Available: ['add']"));
}

TEST_F(Requests, CudaCompilesWithoutAGpuAndSaysWhatIsWrong) {
  const Json arguments{tensor("a", {64}, seeded(1)),
                       tensor("c", {64}, nullptr, "output"),
                       {{"name", "scale"}, {"type", "float"}, {"value", 2.5}},
                       {{"name", "n"}, {"type", "int"}, {"value", 64}}};
  const std::string source =
      "__global__ void scale(const float* a, float* c, float s, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] * s;\n}\n";
  EXPECT_THAT(validationError(evaluate(kernel("cuda", source, arguments, {{"compiler_options", {"-O3"}}}))),
              HasSubstr("not run"));
  const std::string error = compilationError(
      evaluate(kernel("cuda", "__global__ void k(float* a) {\n  a[0] = nope;\n}\n", arguments)));
  EXPECT_THAT(error, StartsWith("Compilation error:\n"));
  EXPECT_THAT(error, HasSubstr("kernel.cu:2:"));
  EXPECT_THAT(error, HasSubstr("nope"));
  EXPECT_THAT(compilationError(evaluate(kernel("cuda", source, arguments, {{"kernel_name", "other"}}))),
              HasSubstr("Kernel 'other' not found. Available: [\"scale\"]"));
  EXPECT_THAT(compilationError(evaluate(kernel("cuda", source))),
              HasSubstr("IOContract is required for CUDA kernels"));
}

TEST_F(Requests, WrongKernelsAreAnswersWithTheirReason) {
  const Json arguments{tensor("a", {4, 2}, seeded(1)), tensor("b", {4, 2}, seeded(2))};
  const auto custom = [&](const char* body) {
    return kernel(
        "torch",
        std::string("import torch\nclass Model(torch.nn.Module):\n    def forward(self, a, b):\n        ") +
            body + "\n",
        arguments);
  };
  const Json ref = kernel("torch", addition, arguments);
  EXPECT_THAT(validationError(compare(ref, custom("return a - b"), 1e-5)),
              HasSubstr("atol=1e-05, rtol=1e-05"));
  EXPECT_EQ(validationError(compare(ref, custom("return (a + b).reshape(-1)"))),
            "Shape mismatch: ref=[4, 2], custom=[8]");
  const std::string threw = validationError(compare(ref, custom("raise ValueError('no such thing')")));
  EXPECT_THAT(threw, StartsWith("Warmup failed:\nTraceback"));
  EXPECT_THAT(threw, HasSubstr("ValueError: no such thing"));
  EXPECT_THAT(threw, HasSubstr("File \"custom_kernel.py\", line 4"));
  EXPECT_THAT(threw, Not(HasSubstr("warpbench")));
  EXPECT_THAT(compilationError(compare(ref, kernel("torch", "def f(:\n"))), HasSubstr("SyntaxError"));
  EXPECT_THAT(compilationError(evaluate(kernel("torch", "import no_such_module\n"))),
              HasSubstr("No module named 'no_such_module'"));
  EXPECT_THAT(validationError(compare(kernel("torch", "x = 1\n"), custom("return a + b"))),
              StartsWith("Skipped due to compilation failure"));
}

TEST_F(Requests, TensorsThatAreGivenArriveAsTheyWere) {
  // float32 [1, 2, 3, 4], and a kernel that says what it got.
  Json data{{"data_b64", "AACAPwAAAEAAAEBAAACAQA=="}, {"dtype", "float32"}, {"shape", {2, 2}}};
  const Json given{{"name", "x"}, {"type", "tensor"}, {"tensor_spec", {{"data", data}}}};
  const auto made = [](const Json& argument, const char* body) {
    return kernel("multi_kernel", std::string("import torch\ndef run(x):\n    return ") + body + "\n",
                  Json::array({argument}), {{"entry_point", "run"}});
  };
  expectGood(compare(made(given, "x"), made(given, "torch.tensor([[1., 2.], [3., 4.]]) * (x[0, 0] / 1)"), 0));
  Json tooLong = given;
  tooLong["tensor_spec"]["data"]["shape"] = {3};
  EXPECT_THAT(compilationError(evaluate(made(tooLong, "x"))), HasSubstr("take 12 bytes"));
  Json unknown = tensor("x", {2}, {{"kind", "gamma"}});
  EXPECT_THAT(compilationError(evaluate(made(unknown, "x"))), HasSubstr("Unsupported init kind: gamma"));
}

}  // namespace
}  // namespace wb
