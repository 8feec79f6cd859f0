// SPDX-License-Identifier: Apache-2.0
// What raw CUDA may include beside what is there without an include: CUDA's headers declare some of it for
// NVRTC as well.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/compile/nvrtc/prelude.h"

namespace wb {
namespace {

struct Header {
  /// The test's name, what is included, and statements that use it.
  const char *name, *included, *used;
};
std::ostream& operator<<(std::ostream& out, const Header& header) {
  return out << header.name;
}

constexpr std::array headersOfCuda{
    Header{"Groups", "cooperative_groups.h", "cooperative_groups::this_thread_block().sync();"},
    Header{
        "GroupsReduce", "cooperative_groups/reduce.h",
        "const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());"
        "y[0] = cooperative_groups::reduce(tile, x[0], cooperative_groups::plus<float>());"},
    Header{
        "GroupsCopies", "cooperative_groups/memcpy_async.h",
        "const auto block = cooperative_groups::this_thread_block(); __shared__ float copy[32];"
        "cooperative_groups::memcpy_async(block, copy, x, sizeof(copy)); cooperative_groups::wait(block);"},
    Header{"Barrier", "cuda/barrier",
           "using Barrier = cuda::barrier<cuda::thread_scope_block>; __shared__ alignas(8) char room[8];"
           "init(reinterpret_cast<Barrier*>(room), 1);"},
    Header{"Pipeline", "cuda/pipeline", "auto line = cuda::make_pipeline(); line.producer_acquire();"},
    Header{"OlderPipeline", "cuda_pipeline.h", "__pipeline_commit(); __pipeline_wait_prior(0);"},
    Header{"OlderBarrier", "cuda_awbarrier.h",
           "__shared__ uint64_t room; __mbarrier_init(&room, 1); __mbarrier_arrive(&room);"},
    Header{"Integers", "cuda/std/cstdint",
           "cuda::std::int64_t wide = n; static_assert(sizeof(cuda::std::int_fast8_t) == 1); y[0] = wide;"},
    Header{"Limits", "cuda/std/limits", "y[0] = cuda::std::numeric_limits<int64_t>::max();"},
    Header{"Functions", "cuda/std/cmath", "y[0] = cuda::std::exp(x[0]);"},
    Header{"BlocksOfCub", "cub/cub.cuh",
           "using Sum = cub::BlockReduce<float, 128>; __shared__ typename Sum::TempStorage room;"
           "y[0] = Sum(room).Sum(x[0]);"},
    Header{"Half", "cuda_fp16.h", "y[0] = __half2float(__float2half(x[0]));"},
    Header{"BFloat16", "cuda_bf16.h", "y[0] = __bfloat162float(__float2bfloat16(x[0]));"},
    Header{"Matrices", "mma.h",
           "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sums;"
           "nvcuda::wmma::fill_fragment(sums, x[0]); y[0] = sums.x[0];"},
    Header{"Float8", "cuda_fp8.h", "y[0] = float(__nv_fp8_e4m3(x[0]));"},
    Header{"RandomNumbers", "curand_kernel.h",
           "curandStatePhilox4_32_10_t state; curand_init(1, 2, 3, &state); y[0] = curand_uniform(&state);"}};

/// What kernels include by habit, and what has to mean the same whatever else is included: also that the
/// types of the macros are those that nvcc has.
constexpr const char* ofHabit =
    "#include <cstdint>\n#include <stdint.h>\n#include <cmath>\n#include <limits>\n#include <float.h>\n"
    "#include <climits>\n";
constexpr const char* sameEverywhere = R"cu(
template <class T, class U> constexpr bool same = false;
template <class T> constexpr bool same<T, T> = true;
static_assert(same<int64_t, long> && same<std::uint64_t, unsigned long> && same<decltype(INT64_MAX), long>);
static_assert(same<decltype(LONG_MAX), long> && same<decltype(LLONG_MAX), long long> && INT_MAX == 2147483647);
static_assert(UINT_MAX == 4294967295 && SHRT_MAX == 32767 && CHAR_BIT == 8);
constexpr float lowest = -INFINITY, none = NAN;
static_assert(same<decltype(NAN), float> && lowest < -FLT_MAX && none != none);
#ifndef __CUDACC_RTC__
#error "NVRTC's own macro is lost."
#endif
)cu";

class IncludedHeaderTest : public testing::TestWithParam<Header> {
 protected:
  /// What NVRTC says of a kernel that begins so; "" when it compiles without a word.
  static std::string said(const std::string& beginning, const std::string& statements) {
    NvrtcRequest request;
    request.source = beginning + sameEverywhere +
                     "__global__ void kernel(const float* x, float* y, int64_t n) {\n" + statements +
                     "\nif (n < INT32_MAX) y[0] += fmaxf(x[0], lowest);\n}\n";
    request.fileName = "kernel.cu";
    request.prelude = makePrelude("f32", request.source).value();
    request.nameExpression = "kernel";
    request.options = {"--gpu-architecture=sm_90", "-std=c++20"};
    for (const auto& folder : cudaIncludeFolders()) request.options.push_back("-I" + folder);
    const auto compiled = compileWithNvrtc(request);
    return compiled ? compilerMessages(compiled->log) : compiled.error().text;
  }
};

TEST_P(IncludedHeaderTest, CompilesWithoutAWordBeforeTheHeadersOfHabit) {
  const Header& header = GetParam();
  EXPECT_EQ(said(std::string("#include <") + header.included + ">\n" + ofHabit, header.used), "");
}

TEST_P(IncludedHeaderTest, CompilesWithoutAWordAfterTheHeadersOfHabit) {
  const Header& header = GetParam();
  EXPECT_EQ(said(std::string(ofHabit) + "#include <" + header.included + ">\n", header.used), "");
}

INSTANTIATE_TEST_SUITE_P(Cuda, IncludedHeaderTest, testing::ValuesIn(headersOfCuda),
                         [](const auto& info) { return std::string(info.param.name); });

using IncludedHeadersTest = IncludedHeaderTest;

/// All of them in one file, in both orders.
TEST_F(IncludedHeadersTest, AllOfThemGoTogether) {
  std::string forwards, backwards, used;
  for (const Header& header : headersOfCuda) {
    const std::string line = std::string("#include <") + header.included + ">\n";
    forwards += line;
    backwards.insert(0, line);
    used += std::string("{") + header.used + "}\n";
  }
  EXPECT_EQ(said(forwards, used), "");
  EXPECT_EQ(said(backwards, used), "");
}

TEST_F(IncludedHeadersTest, TheStandardLibraryHasItsNamesAlone) {
  EXPECT_EQ(said("#include <limits>\n#include <type_traits>\n#include <utility>\n#include <algorithm>\n",
                 "static_assert(std::numeric_limits<int64_t>::max() == INT64_MAX);"
                 "static_assert(-std::numeric_limits<float>::infinity() == lowest);"
                 "static_assert(std::is_same_v<std::remove_cv_t<const int>, int>);"
                 "float a = 1, b = 2; std::swap(a, b); y[0] = std::max(a, b);"),
            "");
}

TEST_F(IncludedHeadersTest, MacrosThatTheKernelHasChangedStayAsTheyAre) {
  EXPECT_EQ(said("#undef M_PI\n#define M_PI 3.0f\n#include <cuda/std/cmath>\n#include <cuda/std/climits>\n",
                 "static_assert(M_PI == 3);"),
            "");
}

TEST_F(IncludedHeadersTest, AMacroOfTheKernelsThatClashesIsStillWarnedOf) {
  EXPECT_NE(said("#include <cuda/std/cmath>\n#define INT_MIN 5\n", "").find("INT_MIN"), std::string::npos);
}

}  // namespace
}  // namespace wb
