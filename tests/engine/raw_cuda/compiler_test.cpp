// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <csignal>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/engine/compile/raw_cuda/raw_cuda_compiler.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* reluSource = R"(/* warpbench
operator = "aten::relu"
*/
template <typename T>
__global__ void relu(const T* x, T* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > T(0) ? x[i] : T(0);
}
)";

/// NVRTC itself, with a cache of the test's own. No GPU is needed.
class RawCudaCompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    cache_ = std::filesystem::temp_directory_path() /
             (std::string("wb-cubin-") + info->name() + "-" + std::to_string(getpid()));
    setenv("WARPBENCH_CACHE", cache_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("WARPBENCH_CACHE");
    std::error_code ignored;
    std::filesystem::remove_all(cache_, ignored);
  }

  Result<CompileOutcome> compile(const std::string& text, std::vector<std::string> dtypes = {"f32"},
                                 const std::string& schema = "aten::relu(Tensor self) -> Tensor",
                                 std::stop_token stop = {}) {
    source_ = KernelSource{"some folder/relu.cu", text, "raw_cuda", "", "", ""};
    diagnostics_.clear();
    return rawCudaCompiler()->compile({source_,
                                       "aten::relu",
                                       schema,
                                       std::move(dtypes),
                                       "cpu",
                                       "",
                                       false,
                                       60,
                                       std::move(stop),
                                       [this](const Diagnostic& each) { diagnostics_.push_back(each); },
                                       {}});
  }

  std::filesystem::path cache_;
  KernelSource source_;
  std::vector<Diagnostic> diagnostics_;
};

TEST_F(RawCudaCompilerTest, CompilesOncePerDtypeWithoutAGpu) {
  auto outcome = compile(reluSource, {"f32", "f16", "bf16", "f64", "i64", "b8", "f32", "c64", ""});
  ASSERT_TRUE(outcome) << outcome.error().text;
  EXPECT_EQ(outcome->candidate, nullptr);
  EXPECT_THAT(outcome->note, HasSubstr("Compiled for sm_90. Not run: "));
  EXPECT_THAT(outcome->toolchain, HasSubstr("NVRTC 13"));
  EXPECT_FALSE(outcome->cached);
  std::vector<std::string> dtypes;
  for (const auto& artifact : outcome->artifacts) {
    dtypes.push_back(artifact.dtype);
    EXPECT_EQ(artifact.name, "relu");
    EXPECT_EQ(artifact.architecture, "sm_90");
    EXPECT_GT(artifact.registers, 0);
    EXPECT_EQ(artifact.spillStores, 0);
    EXPECT_GT(artifact.binaryBytes, 500);
    EXPECT_THAT(artifact.assembly, HasSubstr(".entry"));
    EXPECT_THAT(artifact.assembly, HasSubstr("relu"));
  }
  EXPECT_THAT(dtypes, testing::UnorderedElementsAre("f32", "f16", "bf16", "f64", "i64", "b8"));
}

TEST_F(RawCudaCompilerTest, NvrtcsSignalHandlersDoNotStay) {
  const auto handlers = [] {
    std::vector<void (*)(int)> all;
    for (int signal = 1; signal < NSIG; ++signal) {
      struct sigaction action {};
      all.push_back(::sigaction(signal, nullptr, &action) == 0 ? action.sa_handler : nullptr);
    }
    return all;
  };
  const auto before = handlers();
  ASSERT_TRUE(compile(reluSource, {"f32"}));
  EXPECT_EQ(handlers(), before);
}

TEST_F(RawCudaCompilerTest, UnchangedSourcesComeFromTheCache) {
  ASSERT_TRUE(compile(reluSource));
  auto again = compile(reluSource);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  ASSERT_EQ(again->artifacts.size(), 1U);
  EXPECT_GT(again->artifacts[0].registers, 0);
  auto changed = compile(std::string(reluSource) + "// more\n");
  ASSERT_TRUE(changed);
  EXPECT_FALSE(changed->cached);
}

TEST_F(RawCudaCompilerTest, ADamagedCacheEntryIsCompiledAgain) {
  ASSERT_TRUE(compile(reluSource));
  for (const auto& entry : std::filesystem::directory_iterator(cache_ / "cubin"))
    ASSERT_TRUE(writeFileAtomically(entry.path(), "damaged"));
  auto again = compile(reluSource);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->cached);
}

TEST_F(RawCudaCompilerTest, SyntaxErrorsHaveFileLineAndColumn) {
  auto outcome = compile(
      "/* warpbench\noperator = \"aten::relu\"\n*/\n__global__ void relu(const float* x, float* y) {\n  y[0] "
      "= z;\n  int unused;\n}\n");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().stage, Stage::compile);
  EXPECT_EQ(outcome.error().text, "1 error in relu.cu");
  ASSERT_GE(diagnostics_.size(), 1U);
  EXPECT_EQ(diagnostics_[0].severity, Severity::error);
  EXPECT_EQ(diagnostics_[0].message, "identifier \"z\" is undefined");
  EXPECT_EQ(diagnostics_[0].place, (Place{"some folder/relu.cu", 5, 10}));
  EXPECT_EQ(diagnostics_[0].tool, "nvrtc");
}

TEST_F(RawCudaCompilerTest, TheSameErrorInSeveralDtypesIsSaidOnce) {
  auto outcome =
      compile("__global__ void relu(const scalar_t* x, scalar_t* y) { y[0] = z; }", {"f32", "f16", "i64"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(diagnostics_.size(), 1U);
  EXPECT_EQ(outcome.error().text, "1 error in relu.cu");
}

TEST_F(RawCudaCompilerTest, ADtypeThatDoesNotCompileLeavesTheOthers) {
  auto outcome = compile(
      "__global__ void relu(const scalar_t* x, scalar_t* y) { static_assert(sizeof(scalar_t) == 4, \"words "
      "only\"); y[0] = x[0]; }",
      {"f32", "f16"});
  ASSERT_TRUE(outcome) << outcome.error().text;
  EXPECT_THAT(outcome->note, HasSubstr("1 of 2 dtypes"));
  EXPECT_EQ(outcome->artifacts.size(), 1U);
  EXPECT_EQ(diagnostics_.size(), 1U);
}

TEST_F(RawCudaCompilerTest, WarningsDoNotFailAndComeBackFromTheCache) {
  const std::string text =
      "__global__ void relu(const float* x, float* y) {\n  int unused;\n  y[0] = x[0];\n}";
  ASSERT_TRUE(compile(text));
  ASSERT_EQ(diagnostics_.size(), 1U);
  EXPECT_EQ(diagnostics_[0].severity, Severity::warning);
  EXPECT_EQ(diagnostics_[0].place.line, 2);
  auto again = compile(text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(diagnostics_.size(), 1U);
}

TEST_F(RawCudaCompilerTest, CppCAndNamespacesAndTemplatesAllLink) {
  for (const char* text : {"extern \"C\" __global__ void relu(const float* x, float* y) { y[0] = x[0]; }",
                           "__global__ void relu(const float* x, float* y) { y[0] = x[0]; }",
                           "namespace a { namespace b { __global__ void relu(const scalar_t* x, scalar_t* y) "
                           "{ y[0] = x[0]; } } }",
                           "/* warpbench\nkernel = \"relu<scalar_t, 4>\"\n*/template <typename scalar_t, int "
                           "N> __global__ void relu(const scalar_t* x, scalar_t* y) { y[N] = x[N]; }"}) {
    auto outcome = compile(text);
    ASSERT_TRUE(outcome) << text << outcome.error().text;
    ASSERT_EQ(outcome->artifacts.size(), 1U);
    EXPECT_GT(outcome->artifacts[0].registers, 0);
  }
}

TEST_F(RawCudaCompilerTest, UsualHeadersAndNamesAreThere) {
  auto outcome = compile(R"cu(#include <cstdint>
#include <cfloat>
#include <cmath>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
constexpr int kBlock = 256;
using index_t = std::int64_t;
__device__ __half twice(__half x) { return x + x; }
__global__ void relu(const float* x, float* y, index_t n) {
  assert(n > 0);
  y[0] = fminf(fmaxf(x[0], -INFINITY), FLT_MAX) + NAN + M_PI + kBlock + INT_MAX + uint8_t(3) + size_t(4);
  if (threadIdx.x == 0) printf("%f\n", y[0]);
})cu");
  ASSERT_TRUE(outcome) << (diagnostics_.empty() ? outcome.error().text : diagnostics_[0].message);
}

TEST_F(RawCudaCompilerTest, SharedMemoryAndSpillsAreCounted) {
  auto outcome = compile(R"(/* warpbench
options = ["--maxrregcount=24"]
*/
__global__ void relu(const float* x, float* y) {
  __shared__ float tile[512];
  tile[threadIdx.x % 512] = x[threadIdx.x];
  __syncthreads();
  float a[64];
  #pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = tile[(threadIdx.x * 7 + i * 13) % 512] * x[i];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < 64; ++i) y[i * 1024 + threadIdx.x] = a[i] * a[63 - i] + a[(i * 5) % 64];
})");
  ASSERT_TRUE(outcome) << outcome.error().text;
  EXPECT_EQ(outcome->artifacts[0].sharedBytes, 2048);
  EXPECT_LE(outcome->artifacts[0].registers, 24);
  EXPECT_GT(outcome->artifacts[0].spillStores, 0);
  EXPECT_GT(outcome->artifacts[0].spillLoads, 0);
}

TEST_F(RawCudaCompilerTest, AnUnknownOptionIsPlacedAtTheOptions) {
  auto outcome = compile(
      "/* warpbench\noptions = [\"--bogus\"]\n*/\n__global__ void relu(const float* x, float* y) { y[0] = "
      "x[0]; }");
  ASSERT_FALSE(outcome);
  ASSERT_EQ(diagnostics_.size(), 1U);
  EXPECT_THAT(diagnostics_[0].message, HasSubstr("--bogus"));
  EXPECT_EQ(diagnostics_[0].place, (Place{"some folder/relu.cu", 2, 11}));
}

TEST_F(RawCudaCompilerTest, ErrorsOfTheHeaderComeBeforeAnyCompile) {
  auto outcome = compile(
      "/* warpbench\nargs = [\"selff\", \"out\"]\n*/\n__global__ void relu(const float* x, float* y) {}");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().place, (Place{"some folder/relu.cu", 2, 10}));
  EXPECT_THAT(outcome.error().hint, HasSubstr("self"));
}

TEST_F(RawCudaCompilerTest, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  auto outcome = compile(reluSource, {"f32"}, "aten::relu(Tensor self) -> Tensor", source.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().text, HasSubstr("stopped"));
}

TEST_F(RawCudaCompilerTest, TheClaimHasTheOperatorAndTheKernels) {
  const KernelSource source{"x.cu",
                            "/* warpbench\noperator = \"aten::relu\"\nkernel = \"b<scalar_t>\"\n*/ "
                            "__global__ void a() {} template <class T> __global__ void b(T* x) {}",
                            "raw_cuda", ""};
  auto claim = rawCudaCompiler()->claim(source);
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->op, "aten::relu");
  EXPECT_THAT(claim->functions, ElementsAre("b", "a"));
  EXPECT_EQ(rawCudaCompiler()->language(), "raw_cuda");
}

}  // namespace
}  // namespace wb
