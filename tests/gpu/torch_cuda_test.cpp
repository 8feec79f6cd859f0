// SPDX-License-Identifier: Apache-2.0
// CUDA extensions on a real device: the host's part launches what NVRTC compiled.
#include <fmt/format.h>

#include <chrono>

#include "core/base/files/file.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

class GpuTorchCuda : public GpuTest {
 protected:
  static std::string sample(const std::string& name) {
    for (const std::filesystem::path& root :
         {std::filesystem::path(WB_SOURCE_DIR), std::filesystem::current_path()})
      if (auto text = readFile(root / "resources/samples" / name)) return *text;
    ADD_FAILURE() << name << " was not found";
    return {};
  }
  /// A job over these calls of one operator.
  static Job job(const std::string& source, const std::string& op,
                 const std::vector<std::string>& arguments) {
    Job made = reluJob({}, {});
    made.kernels = {{"mine.cu", source, "torch_cuda", op, "", ""}};
    made.cases.clear();
    for (const auto& text : arguments) {
      Case each;
      each.op = op;
      each.args = text;
      made.cases.push_back(each);
    }
    return made;
  }
  const KernelReport& runAll(const Job& job) {
    const auto start = std::chrono::steady_clock::now();
    report_ = run(job);
    fmt::print("  {} of {} pass; all in {:.2f} s\n", report_.kernels[0]->counts.passed,
               report_.kernels[0]->counts.total,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    printCases(*report_.kernels[0]);
    return *report_.kernels[0];
  }
  void expectAllPass(const Job& job) {
    const KernelReport& kernel = runAll(job);
    EXPECT_FALSE(kernel.failure);
    EXPECT_EQ(kernel.counts.passed, static_cast<int>(job.cases.size()));
  }
  Report report_;
};

std::string reluOf(const std::string& body, const std::string& launch = "<<<(n + 255) / 256, 256>>>") {
  return "#include <torch/extension.h>\n"
         "__global__ void k(const float* x, float* y, int n) {\n  int i = blockIdx.x * blockDim.x + "
         "threadIdx.x;\n  " +
         body +
         "\n}\nat::Tensor relu(const at::Tensor& self) {\n  auto x = self.contiguous();\n  auto y = "
         "at::empty_like(x);\n"
         "  const int n = x.numel();\n  k" +
         launch + "(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n";
}
constexpr const char* goodBody = "if (i < n) y[i] = x[i] < 0 ? 0 : x[i];";

TEST_F(GpuTorchCuda, TheReluSamplePassesInEveryDtypeAndLayout) {
  std::vector<std::string> cases;
  for (const char* dtype : {"f32", "f64", "f16", "bf16", "i32", "i64"})
    for (const char* shape : {"[1000]", "[0]", "[7, 129]", "[]"})
      cases.push_back(fmt::format("((T({}, {}),), {{}})", shape, dtype));
  cases.emplace_back("((T([64, 32], f32, [1, 64]),), {})");
  cases.emplace_back("((T([64, 32], f16, [64, 2]),), {})");
  expectAllPass(job(sample("relu_torch_cuda.cu"), "aten::relu", cases));
}

TEST_F(GpuTorchCuda, TheLayerNormSamplePassesWithSharedMemory) {
  std::vector<std::string> cases;
  for (const char* dtype : {"f32", "f64", "f16", "bf16"})
    for (const int columns : {1, 31, 256, 1000})
      cases.push_back(fmt::format("((T([5, 3, {0}], {1}), [{0}], T([{0}], {1}), T([{0}], {1}), 1e-05), {{}})",
                                  columns, dtype));
  cases.emplace_back("((T([4, 8, 16], f32), [8, 16], None, None, 1e-05), {})");
  cases.emplace_back("((T([32, 64], f32, [1, 32]), [64], None, None, 1e-05), {})");
  expectAllPass(job(sample("layer_norm_torch_cuda.cu"), "aten::native_layer_norm", cases));
}

TEST_F(GpuTorchCuda, TwoTextsWithTheSameHostPartHaveTheirOwnKernels) {
  // Same lines, same host part: only the device's code differs.
  const auto good = job(reluOf(goodBody), "aten::relu", {"((T([1000], f32),), {})"});
  auto both = good;
  both.kernels.push_back(
      {"other.cu", reluOf("if (i < n) y[i] = x[i] > 0 ? 9 : x[i];"), "torch_cuda", "aten::relu", "", ""});
  both.kernels.push_back({"third.cu", reluOf(goodBody), "torch_cuda", "aten::relu", "", ""});
  const Report report = run(both);
  EXPECT_EQ(report.kernels[0]->counts.passed, 1);
  EXPECT_EQ(report.kernels[1]->counts.passed, 0);
  EXPECT_EQ(report.kernels[2]->counts.passed, 1);
}

TEST_F(GpuTorchCuda, ALaunchThatFailsNamesTheKernelAndCudasText) {
  const auto& kernel =
      runAll(job(reluOf(goodBody, "<<<1, 2048>>>"), "aten::relu", {"((T([1000], f32),), {})"}));
  const auto& check = kernel.cases[0].check;
  EXPECT_NE(check.verdict, Verdict::pass);
  EXPECT_NE(check.message.find("launching k"), std::string::npos) << check.message;
  EXPECT_NE(check.message.find("invalid"), std::string::npos) << check.message;
}

TEST_F(GpuTorchCuda, SharedMemoryBeyondThePlainLimitMustBeAskedFor) {
  const std::string body =
      "extern __shared__ float tile[]; tile[20000 + threadIdx.x] = i < n ? x[i] : 0; __syncthreads(); if (i "
      "< n) y[i] = tile[20000 + threadIdx.x] < 0 ? 0 : tile[20000 + threadIdx.x];";
  auto text = reluOf(body, "<<<(n + 255) / 256, 256, 90000>>>");
  EXPECT_EQ(runAll(job(text, "aten::relu", {"((T([1000], f32),), {})"})).counts.passed, 0);
  text.insert(text.find("  k<<<"),
              "  TORCH_CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 90000) == "
              "cudaSuccess);\n");
  expectAllPass(job(text, "aten::relu", {"((T([1000], f32),), {})"}));
}

TEST_F(GpuTorchCuda, OccupancyAndCooperativeLaunchesTakeTheKernel) {
  auto text = reluOf(goodBody);
  const auto at = text.find("  k<<<");
  text.replace(at, text.find(";\n", at) + 2 - at,
               "  int blocks = 0;\n  TORCH_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, "
               "256, 0) == cudaSuccess && blocks > 0);\n"
               "  const float* in = x.data_ptr<float>(); float* out = y.data_ptr<float>();\n  void* all[] = "
               "{&in, &out, (void*)&n};\n"
               "  TORCH_CHECK(cudaLaunchCooperativeKernel(k, dim3((n + 255) / 256), dim3(256), all, 0, "
               "c10::cuda::getCurrentCUDAStream()) == cudaSuccess);\n");
  expectAllPass(job(text, "aten::relu", {"((T([1000], f32),), {})"}));
}

TEST_F(GpuTorchCuda, LaunchesWithAttributesTakeTheKernel) {
  auto text = reluOf("if (i < n) y[i] = x[i] < 0 ? 0 : x[i]; cooperative_groups::this_cluster().sync();");
  text.insert(0, "#include <cooperative_groups.h>\n");
  const auto at = text.find("  k<<<");
  text.replace(
      at, text.find(";\n", at) + 2 - at,
      "  cudaLaunchConfig_t how{};\n  how.gridDim = dim3(4 * ((n + 1023) / 1024));\n"
      "  cudaLaunchAttribute cluster{};\n  cluster.id = cudaLaunchAttributeClusterDimension;\n"
      "  cluster.val.clusterDim.x = 4; cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;\n"
      "  how.attrs = &cluster; how.numAttrs = 1; int most = 0, least = 0, clusters = 0, size = 0;\n"
      "  TORCH_CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &most, k) == cudaSuccess && most >= "
      "256);\n  how.blockDim = dim3(256);\n"
      "  TORCH_CHECK(cudaOccupancyMaxPotentialClusterSize(&size, k, &how) == cudaSuccess && size >= 4);"
      "\n  TORCH_CHECK(cudaOccupancyMaxActiveClusters(&clusters, k, &how) == cudaSuccess && clusters > "
      "0);\n  TORCH_CHECK(cudaLaunchKernelEx(&how, k, x.data_ptr<float>(), y.data_ptr<float>(), n) == "
      "cudaSuccess);\n");
  expectAllPass(job(text, "aten::relu", {"((T([5000], f32),), {})"}));
}

// Two graphs, made by the two kinds of functions, that are told of the addresses afterwards.
TEST_F(GpuTorchCuda, NodesOfGraphsTakeTheKernel) {
  auto text = reluOf(goodBody);
  const auto at = text.find("  k<<<");
  text.replace(
      at, text.find(";\n", at) + 2 - at,
      R"(  const float* in = x.data_ptr<float>(); float* out = y.data_ptr<float>(); float* none = nullptr; int no = 0;
  void* empty[] = {&none, &none, &no}; void* all[] = {&in, &out, (void*)&n};
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
  const auto good = [](cudaError_t is, const char* what) { TORCH_CHECK(is == cudaSuccess, what, ": ", cudaGetErrorString(is)); };
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  good(cudaStreamIsCapturing(stream, &status), "ask");
  if (status != cudaStreamCaptureStatusNone) {
    k<<<(n + 255) / 256, 256, 0, stream>>>(in, out, n);
    return y;
  }
  cudaGraph_t graph = nullptr; cudaGraphExec_t exec = nullptr; cudaGraphNode_t node = nullptr, second = nullptr;
  cudaKernelNodeParams each{}; each.func = (void*)k; each.gridDim = dim3((n + 255) / 256); each.blockDim = dim3(256);
  each.kernelParams = empty;
  cudaGraphNodeParams any = {}; any.type = cudaGraphNodeTypeKernel; any.kernel.func = (void*)k;
  any.kernel.gridDim = each.gridDim; any.kernel.blockDim = each.blockDim; any.kernel.kernelParams = empty;
  good(cudaGraphCreate(&graph, 0), "create");
  good(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &each), "add");
  good(cudaGraphAddNode(&second, graph, &node, nullptr, 1, &any), "add any");
  cudaKernelNodeParams back{};
  good(cudaGraphKernelNodeGetParams(node, &back), "get");
  TORCH_CHECK(back.func == (void*)k, "the node has another kernel");
  good(cudaGraphKernelNodeSetParams(node, &back), "set what was got");
  good(cudaGraphKernelNodeSetParams(node, &each), "set");
  good(cudaGraphNodeSetParams(second, &any), "set any");
  good(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  each.kernelParams = all; any.kernel.kernelParams = all;
  good(cudaGraphExecKernelNodeSetParams(exec, node, &each), "update");
  good(cudaGraphExecNodeSetParams(exec, second, &any), "update any");
  good(cudaGraphLaunch(exec, stream), "launch");
  good(cudaGraphExecDestroy(exec), "destroy"); good(cudaGraphDestroy(graph), "destroy");
)");
  expectAllPass(job(text, "aten::relu", {"((T([1000], f32),), {})"}));
}

TEST_F(GpuTorchCuda, WhatAsksAboutAKernelKnowsIt) {
  auto text = reluOf(goodBody);
  const auto at = text.find("  k<<<");
  text.replace(
      at, text.find(";\n", at) + 2 - at,
      R"(  const auto good = [](cudaError_t is, const char* what) { TORCH_CHECK(is == cudaSuccess, what, ": ", cudaGetErrorString(is)); };
  const char* name = nullptr; size_t offset = 0, size = 0; int grid = 0, block = 0;
  cudaFuncAttributes attributes{}; cudaKernel_t kernel = nullptr; cudaFunction_t function = nullptr;
  good(cudaFuncGetAttributes(&attributes, k), "attributes");
  good(cudaFuncGetName(&name, k), "name");
  TORCH_CHECK(std::string(name).find("k") != std::string::npos, name);
  good(cudaFuncGetParamInfo((const void*)k, 1, &offset, &size), "parameter");
  TORCH_CHECK(offset == 8 && size == 8, offset, " ", size);
  good(cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1), "cache");
  good(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, k), "best block");
  good(cudaGetFuncBySymbol(&function, (const void*)k), "function");
  TORCH_CHECK(function != nullptr);
  good(cudaGetKernel(&kernel, k), "kernel");
  cudaLaunchConfig_t how{}; how.gridDim = dim3((n + 255) / 256); how.blockDim = dim3(256);
  const float* in = x.data_ptr<float>(); float* out = y.data_ptr<float>(); int number = n;
  good(cudaLaunchKernelEx(&how, kernel, in, out, number), "launch");
)");
  expectAllPass(job(text, "aten::relu", {"((T([1000], f32),), {})"}));
}

TEST_F(GpuTorchCuda, AnIllegalAddressIsTheCasesVerdictAndTheRunGoesOn) {
  const auto bad =
      job(reluOf("y[static_cast<long>(i) + (1l << 40)] = x[i];"), "aten::relu", {"((T([1000], f32),), {})"});
  auto both = bad;
  both.kernels.push_back({"good.cu", reluOf(goodBody), "torch_cuda", "aten::relu", "", ""});
  losses_ = Losses::ofKernels;
  const Report report = runInWorker(both);
  printCases(*report.kernels[0]);
  EXPECT_NE(report.kernels[0]->cases[0].check.verdict, Verdict::pass);
  EXPECT_NE(report.kernels[0]->cases[0].check.message.find("illegal"), std::string::npos)
      << report.kernels[0]->cases[0].check.message;
  EXPECT_EQ(report.kernels[1]->counts.passed, 1);
}

TEST_F(GpuTorchCuda, WhatOnlyNvccCanCompileRunsToo) {
  auto text = reluOf("if (i < n) y[i] = (x[i] < 0 ? 0 : x[i]) * factor[0];");
  text.insert(text.find("__global__"), "__constant__ float factor[1];\n");
  text.insert(text.find("  k<<<"), "  const float one = 1; cudaMemcpyToSymbol(factor, &one, sizeof(one));\n");
  const auto& kernel = runAll(job(text, "aten::relu", {"((T([1000], f32),), {})"}));
  if (kernel.failure && kernel.failure->text.find("nvcc was not found") != std::string::npos)
    GTEST_SKIP() << "not run: no nvcc";
  EXPECT_EQ(kernel.counts.passed, 1);
}

}  // namespace
}  // namespace wb
