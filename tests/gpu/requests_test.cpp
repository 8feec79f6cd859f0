// SPDX-License-Identifier: Apache-2.0
// Requests of the evaluation server on the GPU, and how long they take.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/jobs/evaluation/evaluation_job.h"
#include "core/service/evaluation/evaluation_answer.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

Json tensor(const std::string& name, Json shape, Json init = nullptr, const std::string& role = "input") {
  return {{"name", name},
          {"type", "tensor"},
          {"role", role},
          {"tensor_spec", {{"shape", std::move(shape)}, {"dtype", "float32"}, {"init", std::move(init)}}}};
}

Json number(const std::string& name, const std::string& type, Json value) {
  return {{"name", name}, {"type", type}, {"value", std::move(value)}};
}

Json seeded(int seed) {
  return {{"kind", "randn"}, {"seed", seed}};
}

Json kernel(const std::string& type, const std::string& source, Json arguments, Json launch = nullptr) {
  Json made{{"source_code", source}, {"kernel_type", type}, {"io", {{"args", std::move(arguments)}}}};
  if (!launch.is_null()) made["io"]["launch"] = std::move(launch);
  return made;
}

constexpr const char* addition =
    "import torch\nclass Model(torch.nn.Module):\n    def forward(self, a, b):\n        return a + b\n";
constexpr const char* vectorAdd =
    "__global__ void vector_add(float* a, float* b, float* c, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n";
constexpr const char* tritonAdd =
    "import triton\nimport triton.language as tl\n@triton.jit\ndef add(x, y, out, n, B: tl.constexpr):\n"
    "    at = tl.program_id(0) * B + tl.arange(0, B)\n    there = at < n\n"
    "    tl.store(out + at, tl.load(x + at, there) + tl.load(y + at, there), there)\n";

class GpuRequests : public GpuTest {
 protected:
  Json answer(const Json& body, const std::string& what, bool metrics = false) {
    Json asked = body;
    asked["collect_device_metrics"] = metrics;
    const auto read = readEvaluation(
        body.contains("kernel") ? EvaluationRoute::evaluate : EvaluationRoute::compare, asked.dump(), "");
    if (const auto* refused = std::get_if<RefusedRequest>(&read)) {
      ADD_FAILURE() << refused->body;
      return {};
    }
    const auto start = std::chrono::steady_clock::now();
    const auto& request = std::get<EvaluationRequest>(read);
    const Result<Job> job = makeJob(evaluationJob(request, "cuda:0", false));
    Json made = evaluationAnswer(request, "id", runInWorker(*job), {"pod", "127.0.0.1"});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{}: {:.3f} s, {}\n", what, seconds, made["kernel_exec_result"]["runtime"].dump());
    return made;
  }
  static void expectRight(const Json& body) {
    EXPECT_EQ(body["kernel_exec_result"]["correctness"], true) << body.dump(1);
  }
  static void expectGood(const Json& body) {
    expectRight(body);
    EXPECT_GT(body["kernel_exec_result"]["runtime"].get<double>(), 0) << body.dump(1);
  }
};

TEST_F(GpuRequests, ACudaKernelIsLaunchedAsItsRequestSays) {
  constexpr int n = 1 << 20;
  const Json inputs{tensor("a", {n}, seeded(42)), tensor("b", {n}, seeded(43))};
  Json arguments = inputs;
  arguments.push_back(tensor("c", {n}, {{"kind", "zeros"}}, "output"));
  arguments.push_back(number("n", "int", n));
  const Json custom =
      kernel("cuda", vectorAdd, arguments, {{"grid", {{"x", n / 256}}}, {"block", {{"x", 256}}}});
  const Json body{{"ref_kernel", kernel("torch", addition, inputs)}, {"custom_kernel", custom}};
  for (const char* what : {"vector_add cuda, first", "again", "once more"}) expectGood(answer(body, what));
  const Json measured = answer(body, "with device metrics", true);
  const Json& metrics = measured["kernel_exec_result"]["metadata"]["device_metrics"];
  for (const char* side : {"original_device_metrics", "custom_device_metrics"}) {
    EXPECT_TRUE(metrics[side].contains("speed_of_light")) << metrics.dump(1);
    EXPECT_GT(metrics[side]["timing_metrics"].value("gpu_time_duration_sum", 0.0), 0);
  }
}

TEST_F(GpuRequests, NumbersReachACudaKernelInItsOwnTypes) {
  const std::string source =
      "__global__ void scale(const float* in, float* out, float s, double t, int n, bool twice) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i] * s * (float)t * (twice ? 2 : 1);\n}\n";
  const Json input = tensor("in", {1024}, seeded(7));
  const Json reference =
      kernel("multi_kernel", "def run(x):\n    return x * 2.5 * 3 * 2\n", Json::array({input}));
  Json ref = reference;
  ref["metadata"] = {{"entry_point", "run"}};
  const Json custom = kernel("cuda", source,
                             {input, tensor("out", {1024}, nullptr, "output"), number("s", "float", 2.5),
                              number("t", "int", 3), number("n", "int", 1024), number("twice", "bool", true)},
                             {{"grid", {{"x", 4}}}});
  expectGood(answer({{"ref_kernel", ref}, {"custom_kernel", custom}}, "scale"));
}

TEST_F(GpuRequests, DynamicSharedMemoryHasAnElementForEachThread) {
  const std::string source =
      "__global__ void sum(float* in, float* out, int n) {\n  extern __shared__ float part[];\n"
      "  float s = 0;\n  for (int i = threadIdx.x; i < n; i += blockDim.x) s += in[blockIdx.x * n + i];\n"
      "  part[threadIdx.x] = s;\n  __syncthreads();\n"
      "  for (int w = blockDim.x / 2; w > 0; w >>= 1) {\n"
      "    if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];\n    __syncthreads();\n  }\n"
      "  if (threadIdx.x == 0) out[blockIdx.x] = part[0];\n}\n";
  const Json input = tensor("in", {256, 1024}, seeded(42));
  const std::string sum =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.sum(1)\n";
  const Json custom = kernel(
      "cuda", source, {input, tensor("out", {256}, {{"kind", "zeros"}}, "output"), number("n", "int", 1024)},
      {{"grid", {{"x", 256}}}, {"block", {{"x", 256}}}});
  expectGood(answer({{"ref_kernel", kernel("torch", sum, Json::array({input}))}, {"custom_kernel", custom}},
                    "sum with shared memory"));
}

TEST_F(GpuRequests, ATritonKernelIsTimed) {
  const Json inputs{tensor("x", {4096}, seeded(1)), tensor("y", {4096}, seeded(2))};
  Json arguments = inputs;
  arguments.push_back(tensor("out", {4096}, nullptr, "output"));
  arguments.push_back(number("n", "int", 4096));
  arguments.push_back(number("B", "int", 1024));
  arguments.back()["is_meta"] = true;
  const Json custom = kernel("triton", tritonAdd, arguments, {{"grid", {{"x", 4}}}, {"num_warps", 4}});
  const Json body{{"ref_kernel", kernel("torch", addition, inputs)}, {"custom_kernel", custom}};
  for (const char* what : {"triton, first", "again"}) expectGood(answer(body, what));
}

TEST_F(GpuRequests, AnInlineExtensionIsTimed) {
  const std::string custom =
      "import torch\nfrom torch.utils.cpp_extension import load_inline\n"
      "cuda = '''\n#include <torch/extension.h>\n"
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n"
      "torch::Tensor run(torch::Tensor a, torch::Tensor b) {\n  auto c = torch::empty_like(a);\n"
      "  add<<<(a.numel() + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), "
      "c.data_ptr<float>(), "
      "a.numel());\n  return c;\n}\n'''\n"
      "made = load_inline('add', 'torch::Tensor run(torch::Tensor a, torch::Tensor b);', cuda, "
      "functions=['run'])\n"
      "class ModelNew(torch.nn.Module):\n    def forward(self, a, b):\n        return made.run(a, b)\n";
  const std::string reference = std::string(addition) +
                                "def get_inputs():\n    return [torch.randn(4096), torch.randn(4096)]\n"
                                "def get_init_inputs():\n    return []\n";
  const Json body{{"ref_code", reference}, {"custom_code", custom}};
  for (const char* what : {"torch_cuda, first", "again"}) expectGood(answer(body, what));
}

TEST_F(GpuRequests, SeedsGiveTheNumbersOfTorchsOwnGenerator) {
  // What torch.randn(4) gives after torch.manual_seed().
  const std::vector<std::pair<int, std::string>> expected{{42, "given 0.19402 2.16137 -0.17205 0.84906"},
                                                          {0, "given -0.92466 -0.42534 -2.64385 0.14518"}};
  const std::string source =
      "def run(x):\n    print('given ' + ' '.join(f'{each:.5f}' for each in x.tolist()))\n    return x * 1\n";
  for (const auto& [seed, numbers] : expected) {
    Json ref = kernel("multi_kernel", "def run(x):\n    return x * 1\n",
                      Json::array({tensor("x", {4}, seeded(seed))}));
    ref["metadata"] = {{"entry_point", "run"}};
    Json custom = ref;
    custom["source_code"] = source;
    const auto read = readEvaluation(EvaluationRoute::compare,
                                     Json{{"ref_kernel", ref}, {"custom_kernel", custom}}.dump(), "");
    const Result<Job> job = makeJob(evaluationJob(std::get<EvaluationRequest>(read), "cuda:0", false));
    const Report report = runInWorker(*job);
    std::string printed;
    for (std::size_t i = 0; i < report.log.size(); ++i) printed += report.log[i].text;
    EXPECT_THAT(printed, testing::HasSubstr(numbers));
  }
}

}  // namespace
}  // namespace wb
