// SPDX-License-Identifier: Apache-2.0
// Compiles for real, with the system's compiler and NVRTC: no GPU is needed.
#include "core/engine/compile/torch_cuda/torch_cuda_compiler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <functional>

#include "core/base/files/file.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/compile/torch_cuda/nvcc.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr const char* reluSchema = "aten::relu(Tensor self) -> Tensor";
constexpr const char* addSchema = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
constexpr const char* normSchema =
    "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float "
    "eps) -> (Tensor, "
    "Tensor, Tensor)";

class TorchCuda : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache", 1); }

  bool compile(const std::string& text, const std::string& op = "aten::relu", const char* schema = reluSchema,
               const std::string& path = "/somewhere/mine.cu") {
    diagnostics_.clear();
    const KernelSource source{path, text, "torch_cuda", op, "", ""};
    CompileRequest request{source, op, schema, {}, "cuda:0", "sm_90", false, 240, {}, {}, {}};
    request.onDiagnostic = [this](const Diagnostic& d) { diagnostics_.push_back(d); };
    request.onLog = [this](const Log& log) { logs_ += log.text + "\n"; };
    request.loadElsewhere = loadElsewhere_;
    const auto compiler = torchCudaCompiler({"", WB_BINARY_DIR "/tests/cache", true});
    const auto start = std::chrono::steady_clock::now();
    outcome_ = compiler->compile(request);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome_.has_value();
  }
  std::string problem() const {
    std::string text = outcome_ ? "" : describe(outcome_.error());
    for (const auto& d : diagnostics_)
      text += fmt::format("\n{}: {} ({})", wb::text(d.place), d.message, d.tool);
    return text + "\n" + logs_;
  }
  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    if (outcome_)
      for (const auto& artifact : outcome_->artifacts)
        if (artifact.architecture == "sm_90") names.push_back(artifact.name);
    return names;
  }
  bool usedNvcc() const { return logs_.find("whole file") != std::string::npos; }
  void expectError(const std::string& message, int line, int column) const {
    ASSERT_FALSE(outcome_.has_value());
    for (const auto& d : diagnostics_)
      if (d.severity == Severity::error && d.message.find(message) != std::string::npos) {
        EXPECT_EQ(d.place.file, "/somewhere/mine.cu");
        EXPECT_EQ(d.place.line, line) << problem();
        if (column > 0) {
          EXPECT_EQ(d.place.column, column) << problem();
        }
        return;
      }
    ADD_FAILURE() << "no error about " << message << ": " << problem();
  }

  std::function<Result<void>(const BuiltObject&)> loadElsewhere_;
  Result<CompileOutcome> outcome_ = Error{};
  std::vector<Diagnostic> diagnostics_;
  std::string logs_;
  double seconds_ = 0;
};

std::string sample(const std::string& name) {
  auto text = readFile(std::string(WB_SOURCE_DIR "/resources/") + name);
  EXPECT_TRUE(text) << name;
  return text ? *text : "";
}

TEST_F(TorchCuda, TheReluSampleCompilesForEveryDtypeOfItsDispatch) {
  ASSERT_TRUE(compile(sample("samples/relu_torch_cuda.cu"))) << problem();
  EXPECT_THAT(kernels(),
              testing::IsSupersetOf({"relu_kernel<float>", "relu_kernel<double>", "relu_kernel<c10::Half>",
                                     "relu_kernel<c10::BFloat16>", "relu_kernel<long>"}));
  EXPECT_EQ(outcome_->candidate, nullptr);
  EXPECT_THAT(outcome_->note, HasSubstr("Compiled for sm_90; not run: "));
  EXPECT_FALSE(usedNvcc());
  EXPECT_TRUE(diagnostics_.empty()) << problem();
  for (const auto& artifact : outcome_->artifacts)
    if (artifact.architecture == "sm_90") {
      EXPECT_GT(artifact.registers, 0) << artifact.name;
      EXPECT_THAT(artifact.assembly, HasSubstr(".entry"));
    }
  // The second time from the caches.
  ASSERT_TRUE(compile(sample("samples/relu_torch_cuda.cu")));
  EXPECT_TRUE(outcome_->cached);
}

TEST_F(TorchCuda, TheLayerNormSampleAndTheTemplateCompile) {
  ASSERT_TRUE(compile(sample("samples/layer_norm_torch_cuda.cu"), "aten::native_layer_norm", normSchema))
      << problem();
  EXPECT_THAT(kernels(), testing::Contains("layer_norm_kernel<c10::Half, float>"));
  EXPECT_TRUE(diagnostics_.empty()) << problem();
  ASSERT_TRUE(compile(sample("templates/torch_cuda.cu"), "aten::add.Tensor", addSchema)) << problem();
  EXPECT_FALSE(usedNvcc());
}

TEST_F(TorchCuda, PrintsWhatEachWayTakes) {
  const auto text = sample("samples/relu_torch_cuda.cu");
  const auto tag = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto changed = fmt::format("// {}\n#define WB_TAG {}\n{}", tag, tag, text);
  ASSERT_TRUE(compile(changed)) << problem();
  const double fresh = seconds_;
  ASSERT_TRUE(compile(changed));
  const double again = seconds_;
  auto device = changed;
  device.replace(device.find("const scalar_t value = x[i];"), 28, "const scalar_t value = x[i+0];");
  ASSERT_TRUE(compile(device)) << problem();
  fmt::print(
      "  CUDA extension ({} instances): new {:.2f} s, unchanged {:.2f} s, only device code changed {:.2f} "
      "s\n",
      kernels().size(), fresh, again, seconds_);
}

// The form of PyTorch's own tutorial on extensions.
TEST_F(TorchCuda, AccessorsFunctorsAndEnumsCompile) {
  ASSERT_TRUE(compile(R"(#include <torch/extension.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>
namespace {
enum class Mode { plain, leaky };
struct Slope { float value; __host__ __device__ explicit Slope(float v) : value(v) {} };
template <typename scalar_t>
__device__ __forceinline__ scalar_t sigmoid(scalar_t z) { return 1.0 / (1.0 + exp(-z)); }
template <typename scalar_t, Mode mode, bool wide, typename Op>
__global__ void tutorial_kernel(const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> in,
                                torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> out, Slope slope, Op op) {
  const int n = blockIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < in.size(1)) out[n][c] = mode == Mode::leaky ? op(in[n][c]) : sigmoid(in[n][c] * static_cast<scalar_t>(slope.value));
}
struct Twice { template <typename T> __device__ T operator()(T x) const { return x + x; } };
}  // namespace
#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_INPUT(x) CHECK_CUDA(x)
std::vector<torch::Tensor> many(torch::Tensor x) { return {x}; }
torch::Tensor relu(torch::Tensor self) {
  CHECK_INPUT(self);
  auto out = torch::zeros_like(self);
  const dim3 blocks((self.size(1) + 1023) / 1024, self.size(0));
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "relu", ([&] {
    tutorial_kernel<scalar_t, Mode::leaky, true><<<blocks, 1024>>>(
        self.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        out.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), Slope(0.1f), Twice{});
  }));
  return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu); }
)")) << problem();
  EXPECT_FALSE(usedNvcc()) << logs_;
  EXPECT_EQ(kernels().size(), 2U);
}

// vLLM's and apex's forms: namespaces, vector loads, half intrinsics, shared memory, attributes, forward
// declarations.
TEST_F(TorchCuda, IntrinsicsSharedMemoryAndAttributesCompile) {
  ASSERT_TRUE(compile(R"(#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/all.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <ATen/cuda/DeviceUtils.cuh>
#include <cub/cub.cuh>
#include <algorithm>
#include <cmath>
#include <type_traits>
#define HOST_DEVICE_INLINE __host__ __device__ __forceinline__
namespace ext {
template <typename T> __global__ void fused(T* __restrict__ out, const T* __restrict__ in, const int d);
HOST_DEVICE_INLINE int cdiv(int a, int b) { return (a + b - 1) / b; }
static constexpr int kWarp = 32;
template <typename T, int kBlock>
__global__ void reduce(T* out, const T* in, int64_t n) {
  using Reduce = cub::BlockReduce<float, kBlock>;
  __shared__ typename Reduce::TempStorage storage;
  float v = 0;
  for (int64_t i = threadIdx.x; i < n; i += kBlock) v += std::abs(static_cast<float>(in[i]));
  v = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) out[0] = std::max(v, -std::numeric_limits<float>::infinity());
}
template <typename T>
__global__ void fused(T* __restrict__ out, const T* __restrict__ in, const int d) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* tile = reinterpret_cast<float*>(raw);
  if constexpr (std::is_same_v<T, c10::Half>) {
    const __half2 two = __float2half2_rn(2.f);
    tile[threadIdx.x] = __half2float(__low2half(two)) * static_cast<float>(in[threadIdx.x]);
  } else {
    tile[threadIdx.x] = static_cast<float>(in[threadIdx.x]);
  }
  __syncthreads();
  float v = tile[threadIdx.x];
#pragma unroll
  for (int m = kWarp / 2; m > 0; m /= 2) v += WARP_SHFL_XOR(v, m);
  const float4* wide = reinterpret_cast<const float4*>(in);
  if (wide[0].x > 0 && threadIdx.x < cdiv(d, 2)) out[threadIdx.x] = static_cast<T>(v);
}
template <typename T> void launch(at::Tensor& out, const at::Tensor& in, cudaStream_t stream) {
  const auto shared = 64 * 1024;
  C10_CUDA_CHECK(cudaFuncSetAttribute(fused<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  fused<T><<<1, 256, shared, stream>>>(out.data_ptr<T>(), in.data_ptr<T>(), in.size(-1));
  int grid = 0, block = 0, size = 0;
  C10_CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fused<T>, shared));
  cudaLaunchConfig_t how{};
  how.gridDim = dim3(grid), how.blockDim = dim3(block), how.stream = stream;
  C10_CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&size, fused<T>, &how));
  C10_CUDA_CHECK(cudaLaunchKernelEx(&how, fused<T>, out.data_ptr<T>(), in.data_ptr<T>(), in.size(-1)));
  reduce<T, 256><<<1, 256, 0, stream>>>(out.data_ptr<T>(), in.data_ptr<T>(), in.numel());
  AT_CUDA_CHECK(cudaGetLastError());
}
}  // namespace ext
at::Tensor relu(const at::Tensor& self) {
  const at::cuda::OptionalCUDAGuard guard(device_of(self));
  auto out = torch::empty_like(self);
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  if (self.scalar_type() == at::ScalarType::Half) ext::launch<c10::Half>(out, self, stream);
  else if (self.scalar_type() == at::ScalarType::BFloat16) ext::launch<at::BFloat16>(out, self, stream);
  else ext::launch<float>(out, self, stream);
  return out;
}
TORCH_LIBRARY(mine, m) { m.def("relu(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl("relu", &relu); }
)")) << problem();
  EXPECT_FALSE(usedNvcc()) << logs_;
  EXPECT_THAT(kernels(),
              testing::UnorderedElementsAre("ext::fused<c10::Half>", "ext::reduce<c10::Half, 256>",
                                            "ext::fused<c10::BFloat16>", "ext::reduce<c10::BFloat16, 256>",
                                            "ext::fused<float>", "ext::reduce<float, 256>"));
}

// Of CUDA's runtime what takes a kernel or a struct with one, as C++ programs write it.
TEST_F(TorchCuda, WhatTakesAKernelTakesThatOfTheFile) {
  ASSERT_TRUE(compile(R"(#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
template <typename T> __global__ void twice(const T* x, T* y, int64_t n) {
  cooperative_groups::this_thread_block().sync();
  __pipeline_commit();
  if (threadIdx.x < n) y[threadIdx.x] = 2 * x[threadIdx.x];
}
at::Tensor relu(const at::Tensor& self) {
  auto out = torch::empty_like(self);
  const float* x = self.const_data_ptr<float>();
  float* y = out.mutable_data_ptr<float>();
  int64_t n = self.numel();
  void* arguments[] = {&x, &y, &n};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams each{};
  each.func = reinterpret_cast<void*>(twice<float>);
  each.kernelParams = arguments;
  C10_CUDA_CHECK(cudaGraphCreate(&graph, 0));
  C10_CUDA_CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &each));
  C10_CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &each));
  C10_CUDA_CHECK(::cudaGraphKernelNodeSetParams(node, &each));
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = reinterpret_cast<void*>(&twice<double>);
  C10_CUDA_CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
  C10_CUDA_CHECK(cudaGraphNodeSetParams(node, &any));
  C10_CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
  C10_CUDA_CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &each));
  C10_CUDA_CHECK(cudaGraphExecNodeSetParams(exec, node, &any));
  const char* name = nullptr;
  size_t offset = 0, size = 0;
  int grid = 0, block = 0;
  cudaFuncAttributes attributes{};
  cudaKernel_t kernel = nullptr;
  cudaFunction_t function = nullptr;
  cudaLaunchConfig_t how{};
  C10_CUDA_CHECK(::cudaFuncGetAttributes(&attributes, twice<float>));
  C10_CUDA_CHECK(cudaFuncGetName(&name, twice<float>));
  C10_CUDA_CHECK(cudaFuncGetParamInfo((const void*)twice<float>, 0, &offset, &size));
  C10_CUDA_CHECK(cudaFuncSetSharedMemConfig(twice<float>, cudaSharedMemBankSizeEightByte));
  C10_CUDA_CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, twice<float>));
  C10_CUDA_CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, twice<float>,
                                                                         [](int) { return 0; }));
  C10_CUDA_CHECK(cudaGetKernel(&kernel, twice<float>));
  C10_CUDA_CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(&twice<float>)));
  C10_CUDA_CHECK(cudaLaunchKernelEx(&how, kernel, x, y, n));
  return out;
}
)")) << problem();
  EXPECT_FALSE(usedNvcc()) << logs_;
  EXPECT_THAT(kernels(), testing::UnorderedElementsAre("twice<float>", "twice<double>"));
}

constexpr const char* broken = R"(#include <torch/extension.h>
__device__ float twice(float x) { return x + x; }
__global__ void k(const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = twice(x[i]);
}
at::Tensor relu(const at::Tensor& self) {
  at::Tensor y = at::empty_like(self);
  k<<<1, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(self.data_ptr<float>(), y.data_ptr<float>(), self.numel()); int after = 1; (void)after;
  return y;
}
)";
std::string with(const std::string& old, const std::string& now) {
  std::string text = broken;
  text.replace(text.find(old), old.size(), now);
  return text;
}

TEST_F(TorchCuda, ErrorsInDeviceCodeAreOnTheirLine) {
  ASSERT_TRUE(compile(broken)) << problem();
  compile(with("twice(x[i]);", "thrice(x[i]);"));
  expectError("thrice", 5, 21);
  EXPECT_THAT(outcome_.error().text, HasSubstr("1 error in mine.cu"));
  compile(with("int i = threadIdx.x;", "int i = threadIdx.x"));
  expectError("expected", 5, 0);
}

TEST_F(TorchCuda, ErrorsInHostCodeAreOnTheirLineAndColumn) {
  const auto expect = [&](const std::string& text, const std::string& word) {
    compile(text);
    const auto at = text.find(word);
    expectError(word, 9, static_cast<int>(at - text.rfind('\n', at)));
  };
  expect(with("self.numel());", "self.nummel());"), "nummel");
  expect(with("1, 256, 0,", "one, 256, 0,"), "one");
  expect(with("int after", "integer after"), "integer");
  compile(with("const at::Tensor& self", "const at::Tensor& self, int64_t more"));
  expectError("takes 2 parameters", 7, 0);
  compile(with("self.data_ptr<float>(), y.", "y."));
  // g++ and clang++ have other words for it.
  expectError("", 9, 0);
}

TEST_F(TorchCuda, ErrorsOfAnInstanceAreReported) {
  compile(R"(#include <torch/extension.h>
template <typename T> __global__ void k(T* x) {
  x[0] = T::none;
}
at::Tensor relu(const at::Tensor& self) {
  k<float><<<1, 1>>>(self.data_ptr<float>());
  return self;
}
)");
  expectError("must be a class", 3, 0);
}

// Whoever loads this here ends the test.
constexpr const char* abortsWhenLoaded = R"(#include <torch/extension.h>
#include <cstdlib>
at::Tensor stop() { std::abort(); }
static const at::Tensor stopped = stop(); template <typename T> __global__ void k(T* x) {
  x[0] = T(1);
}
at::Tensor relu(const at::Tensor& self) {
  k<float><<<1, 1>>>(self.data_ptr<float>());
  return self;
}
)";

TEST_F(TorchCuda, WhatAnotherProcessLoadsIsNotLoadedHereAndItsKernelsAreCompiledByName) {
  Result<NamedKernels> given = Error{};
  loadElsewhere_ = [&](const BuiltObject& built) -> Result<void> {
    EXPECT_TRUE(std::filesystem::is_regular_file(built.object)) << built.object;
    EXPECT_EQ(built.function, "relu");
    EXPECT_FALSE(built.runs) << "there is no GPU in this job";
    given = built.kernels({"k<float>", "k<double>"}, 120);
    return {};
  };
  ASSERT_TRUE(compile(abortsWhenLoaded)) << problem();
  ASSERT_TRUE(given) << describe(given.error());
  EXPECT_FALSE(given->cubin.empty());
  EXPECT_EQ(given->loweredNames, (std::vector<std::string>{"_Z1kIfEvPT_", "_Z1kIdEvPT_"}));
  EXPECT_THAT(kernels(), testing::ElementsAre("k<float>", "k<double>"));
  EXPECT_GT(outcome_->artifacts[0].registers, 0);
  EXPECT_EQ(outcome_->cubins.size(), 1U);
  EXPECT_THAT(outcome_->toolchain, HasSubstr("NVRTC"));
}

TEST_F(TorchCuda, AnotherProcessGetsTheKernelsOfTheSourceAlone) {
  for (const std::string name :
       {"at::relu", "k<float>(nullptr), k<int>", "k<float>\n#include </etc/passwd>"}) {
    loadElsewhere_ = [&](const BuiltObject& built) -> Result<void> {
      EXPECT_FALSE(built.kernels({"k<float>", name}, 120));
      return {};
    };
    EXPECT_FALSE(compile(abortsWhenLoaded)) << "whatever it says of itself: " << name;
    EXPECT_THAT(outcome_.error().text, HasSubstr("a kernel that is none of its source"));
  }
  loadElsewhere_ = [](const BuiltObject&) -> Result<void> { return Error{Stage::compile, "it was lost"}; };
  EXPECT_FALSE(compile(abortsWhenLoaded));
  EXPECT_EQ(outcome_.error().text, "it was lost");
}

TEST_F(TorchCuda, ErrorsOfAnInstanceThatAnotherProcessNamesAreReported) {
  std::string text = abortsWhenLoaded;
  text.replace(text.find("T(1)"), 4, "T::none");
  loadElsewhere_ = [](const BuiltObject& built) -> Result<void> {
    const auto given = built.kernels({"k<float>"}, 120);
    return given ? Error{Stage::compile, "they compile"} : given.error();
  };
  compile(text);
  expectError("must be a class", 5, 0);
  EXPECT_THAT(outcome_.error().text, HasSubstr("1 error in mine.cu"));
}

TEST_F(TorchCuda, HeadersBesideTheFileAreUsed) {
  const std::filesystem::path folder = std::filesystem::path(WB_BINARY_DIR) / "tests/torch cuda";
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(writeFileAtomically(folder / "util.cuh",
                                  "#pragma once\n__device__ float twice(float x) { return x + __expf(x); }\n"
                                  "__global__ void k(float* x) { x[threadIdx.x] = twice(1); }\n"));
  const std::string text =
      "#include <torch/extension.h>\n#include \"util.cuh\"\nat::Tensor relu(at::Tensor self) { k<<<1, "
      "1>>>(self.data_ptr<float>()); return self; }\n";
  ASSERT_TRUE(compile(text, "aten::relu", reluSchema, (folder / "mine.cu").string())) << problem();
  EXPECT_EQ(kernels(), std::vector<std::string>{"k"});
  ASSERT_TRUE(
      writeFileAtomically(folder / "util.cuh", "#pragma once\n__global__ void k(float* x) { y = 1; }\n"));
  EXPECT_FALSE(compile(text, "aten::relu", reluSchema, (folder / "mine.cu").string()));
  ASSERT_FALSE(diagnostics_.empty());
  EXPECT_EQ(diagnostics_[0].place, (Place{(folder / "util.cuh").string(), 2, 31})) << problem();
}

TEST_F(TorchCuda, AnotherOperatorsFileNamesWhatItFound) {
  EXPECT_FALSE(compile(broken, "aten::add.Tensor", addSchema));
  EXPECT_THAT(outcome_.error().text, HasSubstr("no function for aten::add.Tensor"));
  const auto claim = torchCudaCompiler()->claim({"x.cu", broken, "torch_cuda", "", "", ""});
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->functions, std::vector<std::string>{"relu"});
}

TEST_F(TorchCuda, WhatCannotBeTakenApartGoesToNvcc) {
  const auto torch = findTorch();
  ASSERT_TRUE(torch);
  if (const auto nvcc = findNvcc(*torch); !nvcc) GTEST_SKIP() << "not run: " << describe(nvcc.error());
  const std::string text = R"(#include <torch/extension.h>
__constant__ float factor[1];
__global__ void k(float* x) { x[threadIdx.x] *= factor[0]; }
at::Tensor relu(const at::Tensor& self) {
  const float one = 1;
  cudaMemcpyToSymbol(factor, &one, sizeof(one));
  k<<<1, 256>>>(self.data_ptr<float>());
  return self;
}
)";
  ASSERT_TRUE(compile(text)) << problem();
  fmt::print("  nvcc, whole file: {:.1f} s\n", seconds_);
  EXPECT_THAT(outcome_->note, HasSubstr("cudaMemcpyToSymbol"));
  EXPECT_THAT(outcome_->toolchain, HasSubstr("nvcc"));
  EXPECT_EQ(kernels(), std::vector<std::string>{"k"});
  EXPECT_TRUE(usedNvcc() || outcome_->cached);
}

}  // namespace
}  // namespace wb
