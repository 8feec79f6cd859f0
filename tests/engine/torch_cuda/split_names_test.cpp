// SPDX-License-Identifier: Apache-2.0
// What one part cannot know and does not need is left out of it.
#include <gmock/gmock.h>

#include "core/engine/compile/torch_cuda/split/splitter.h"
#include "tests/engine/torch_cuda/split_checks.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* headers =
    "#include <cooperative_groups.h>\n#include <mma.h>\n#include <cub/cub.cuh>\n#include <cuda/barrier>\n";

/// The part of a text, without the lines that are blank.
std::string code(const std::string& text) {
  std::string out, line;
  for (const char c : text + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    if (line.find_first_not_of(' ') != std::string::npos) out += line + "\n";
    line.clear();
  }
  return out;
}
/// Without runs of blanks.
std::string tight(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  return out;
}
std::string deviceOf(const std::string& text) {
  const auto split = splitAlone(text);
  EXPECT_EQ(split.unfit, "") << text;
  EXPECT_EQ(faultOf(text, split), "") << text;
  return code(split.files[0].device.text());
}
std::string hostOf(const std::string& text) {
  const std::string whole = headers + text;
  const auto split = splitAlone(whole);
  EXPECT_EQ(split.unfit, "") << text;
  EXPECT_EQ(faultOf(whole, split), "") << text;
  return code(split.files[0].host.text());
}
std::string unfit(const std::string& text) {
  return splitAlone(headers + text).unfit;
}

// What stands before `kept`, and all of it is the host's.
void expectHosts(const std::string& text) {
  const std::string kept = "__global__ void k(float* x) { x[0] = 1; }";
  EXPECT_EQ(deviceOf(text + "\n" + kept), kept + "\n") << text;
}

TEST(HostVariables, AConstantThatAFunctionOfTheHostComputesIsTheHosts) {
  expectHosts("static int blockOf() { return 4; }\nstatic const int kBlock = blockOf();");
  expectHosts("static int blockOf() { return 4; }\nstatic const int a = blockOf();\nconst int b = 2 * a;");
  expectHosts("static const int kBlock = std::getenv(\"B\") ? 1 : 2;");
  expectHosts("static const int kBlock = [] { try { return f(); } catch (...) { return 1; } }();");
  expectHosts("static const double kRoot = std::sqrt(2.0);");
  expectHosts("static const auto log = [](int x) { return x; };");
}

TEST(HostVariables, ItIsTheHostsWhereAKernelHasANameLikeIt) {
  const std::string text =
      "static int blockOf() { return 4; }\nstatic const int kBlock = blockOf();\n"
      "template <int kBlock> __global__ void k(float* x) { x[kBlock] = 1; }\n";
  EXPECT_EQ(deviceOf(text), "template <int kBlock> __global__ void k(float* x) { x[kBlock] = 1; }\n");
}

TEST(HostVariables, ConstantsThatKernelsReadStay) {
  for (const std::string constant :
       {"static const int k = 4;", "const float k = 1.0f / 3;", "static const int k = up(3);",
        "static const int k = std::max(2, 3);", "static const int j = up(3);\nstatic const int k = 2 * j;",
        "#define UP(x) ((x) + 1)\nstatic const int k = UP(3);", "const Pair k = {1, 2};",
        "const Pair k{1, 2};", "const int k[] = {up(1), 2};", "static const unsigned long long k = ~0ull;"}) {
    const std::string text = "constexpr int up(int n) { return n + 1; }\nstruct Pair { int a, b; };\n" +
                             constant + "\n__global__ void f(float* x) { x[0] = k; }\n";
    EXPECT_EQ(deviceOf(text), text);
  }
  const std::string byMacro =
      "constexpr int up(int n) { return n + 1; }\nstatic const int k = up(3);\n#define WIDTH (k * 2)\n"
      "__global__ void f(float* x) { __shared__ float s[WIDTH]; }\n";
  EXPECT_EQ(deviceOf(byMacro), byMacro);
  const std::string asArgument =
      "constexpr int up(int n) { return n + 1; }\nconst int k = up(3);\ntemplate <int n> struct Tile { int "
      "a[n]; };\n"
      "__global__ void f(float* x) { Tile<k> t; }\n";
  EXPECT_EQ(deviceOf(asArgument), asArgument);
}

TEST(HostVariables, AConstantOfAnIncludedFileIsReadByTheFileThatIncludesIt) {
  const std::string header = "constexpr int up(int n) { return n + 1; }\nstatic const int k = up(3);\n";
  const auto split = splitSource("#include \"k.h\"\n__global__ void f(float* x) { x[k] = 1; }\n",
                                 "/k/mine.cu", [&](const std::string&, const std::string&) {
                                   return std::optional(IncludedFile{"/k/k.h", header});
                                 });
  EXPECT_EQ(split.files[1].device.text(), header);
}

TEST(HostVariables, AVariableWithAClassOfItsOwnIsTheHosts) {
  EXPECT_EQ(deviceOf("static struct A { int n; } a;\nstruct B { int n; } b = {1}, c;\n"),
            "       struct A { int n; }  ;\nstruct B { int n; }           ;\n");
  EXPECT_EQ(deviceOf("static struct { int n; } a;\n__global__ void k() {}\n"), "__global__ void k() {}\n");
  for (const std::string text :
       {"typedef struct { int n; } A;\n", "__constant__ struct A { int n; } a;\n",
        "struct A { int n; } __attribute__((aligned(16)));\n", "const struct A { int n; } a = {1};\n"})
    EXPECT_EQ(deviceOf(text), text);
}

TEST(HostVariables, MembersThatNeedTheHostHaveNoBodyOnTheDevice) {
  const std::string kernel = "__global__ void k(A a, float* x) { x[a.keep()] = A::g(1); }\n";
  const std::string text =
      "int f() { return 4; }\nstruct A {\nint n;\nint m = f();\nstatic inline int count = f();\n"
      "A() : n(1) { try { n = 1; } catch (...) {} }\nA(int n) try : n(n) { } catch (...) { }\n"
      "~A() { cudaFree(p); }\nstatic int g(int n) { if (n) throw 1; return n; }\n"
      "virtual int h() const noexcept { return f(); }\nint keep() const { return n + also(); }\n"
      "int also() const { return n; }\nint other() const { return popen(\"x\"); }\n"
      "bool operator<(const A& a) const { return n < a.n; }\nvoid withDefault(int a = f());\n};\n";
  EXPECT_EQ(tight(deviceOf(text + kernel)),
            "struct A {\nint n;\nint m ;\nA() ;\nA(int n) ; \n~A() ;\nstatic int g(int n) ;\n"
            "virtual int h() const noexcept ;\nint keep() const { return n + also(); }\n"
            "int also() const { return n; }\nint other() const ;\n"
            "bool operator<(const A& a) const { return n < a.n; }\n};\n" +
                kernel);
}

TEST(HostVariables, PointersToFunctionsKeepTheirRoom) {
  EXPECT_EQ(tight(deviceOf("int f() { return 4; }\nstruct A {\nint (*g)() = f;\nint n;\n};\n")),
            "struct A {\nint (*g)() ;\nint n;\n};\n");
  EXPECT_EQ(deviceOf("struct A {\nat::Tensor (*g)();\nint n;\n};\n"), "");
}

TEST(HostVariables, HeadersOfTheSystemAreTheHosts) {
  for (const std::string header : {"<unistd.h>", "<sys/mman.h>", "<pthread.h>", "<vector>"})
    expectHosts("#include " + header);
}

TEST(DeviceNames, NamespacesOfHeadersThatOnlyTheDeviceHasAreLeftOut) {
  for (const std::string text :
       {"namespace cg = cooperative_groups;", "using namespace cooperative_groups;",
        "using namespace nvcuda;", "namespace wmma = nvcuda::wmma;", "using namespace nvcuda::wmma;",
        "namespace cde = cuda::device::experimental;", "namespace ptx = cuda::ptx;", "using namespace cub;",
        "using barrier = cuda::barrier<cuda::thread_scope_block>;", "using cooperative_groups::thread_block;",
        "typedef cub::BlockReduce<float, 256> Reduce;",
        "template <int n> using Reduce = cub::BlockReduce<float, n>;",
        "__device__ cuda::atomic<int, cuda::thread_scope_device> counter;",
        "constexpr auto scope = cuda::thread_scope_block;",
        "static_assert(sizeof(cub::BlockReduce<float, 256>::TempStorage) < 1024);",
        "struct Shared { float x[4]; cuda::barrier<cuda::thread_scope_block> ready; };"})
    EXPECT_EQ(hostOf(text + "\nvoid f() { g(); }"), "void f() { g(); }\n") << text;
}

TEST(DeviceNames, FunctionsOfTheDeviceThatNameThemAreLeftOut) {
  for (const std::string text :
       {"__device__ void f(cooperative_groups::thread_block& b) { b.sync(); }",
        "__device__ void f(cooperative_groups::thread_block& b);",
        "namespace cg = cooperative_groups;\ntemplate <int n> __device__ float f(cg::thread_block_tile<n> t) "
        "{ return t.size(); }",
        "using namespace cooperative_groups;\n__device__ void f(const thread_block& b) { b.sync(); }",
        "namespace cg = cooperative_groups;\nusing namespace cg;\n__device__ void f(thread_block b) {}",
        "using namespace nvcuda;\n__device__ void f(wmma::fragment<wmma::accumulator, 16, 16, 16, float>& a) "
        "{}",
        "using namespace nvcuda::wmma;\n__device__ void f(fragment<accumulator, 16, 16, 16, float>& a) {}",
        "using barrier = cuda::barrier<cuda::thread_scope_block>;\n__device__ void f(barrier& b) {}",
        "typedef cub::BlockReduce<float, 256> Reduce;\n__device__ float f(Reduce::TempStorage& t) { return "
        "1; }",
        "struct Shared { cuda::barrier<cuda::thread_scope_block> b; };\n__device__ void f(Shared& s) {}",
        "namespace cg = cooperative_groups;\n__host__ __device__ void f() { cg::this_thread_block(); }"})
    EXPECT_EQ(hostOf(text + "\nvoid g() {}"), "void g() {}\n") << text;
}

TEST(DeviceNames, KernelsStayAndSoDoClassesOfTheHost) {
  EXPECT_THAT(hostOf("namespace cg = cooperative_groups;\n__global__ void k(float* x) { auto b = "
                     "cg::this_thread_block(); }\n"),
              HasSubstr("__global__ void k(float* x) { struct warpbench_name"));
  EXPECT_EQ(hostOf("struct Op {\nusing Tile = cooperative_groups::thread_block_tile<32>;\nint n;\n"
                   "__device__ float of(const Tile& t) const { return n; }\n"
                   "__host__ __device__ int two() const { return 2; }\n};\n"),
            "struct Op {\nint n;\n__host__ __device__ int two() const { return 2; }\n};\n");
}

TEST(DeviceNames, TorchsNamespaceCudaIsTheHosts) {
  for (const std::string text :
       {"void f() { at::cuda::getCurrentCUDAStream(); }\n", "void f() { c10::cuda::CUDAGuard guard(0); }\n",
        "namespace at { void f() { cuda::getCurrentCUDAStream(); } }\n",
        "void f(bool cuda) { if (cuda) g(); }\n"})
    EXPECT_EQ(hostOf(text), text);
}

TEST(DeviceNames, OtherFilesMayHaveSuchNames) {
  const std::string text = "namespace cub { struct A {}; }\ncub::A f(cub::A a) { return a; }\n";
  EXPECT_EQ(splitAlone(text).files[0].host.text(), text);
}

TEST(DeviceNames, WhatAChangeOfTheDevicesMakesIsNoChangeOfTheHosts) {
  const auto host = [](const std::string& body) {
    return hostOf("__device__ void f(cooperative_groups::thread_block& b) { " + body + " }\nvoid g() {}");
  };
  EXPECT_EQ(host("b.sync();"), host("__syncthreads(); b.sync();"));
}

TEST(DeviceNames, WhatTheHostNeedsOfThemGoesToNvcc) {
  EXPECT_THAT(unfit("struct Shared { cuda::barrier<cuda::thread_scope_block> b; };\n"
                    "int bytes() { return sizeof(Shared); }"),
              HasSubstr("code of the host names types of the device"));
  EXPECT_THAT(unfit("__global__ void k(cub::KeyValuePair<int, float> x) {}"), HasSubstr("parameters"));
  EXPECT_THAT(unfit("using namespace cub;\nvoid f() { DeviceReduce::Sum(a, b); }"),
              HasSubstr("of the device"));
  EXPECT_THAT(unfit("__host__ __device__ float f(float x) { return cuda::std::max(x, 1.f); }\n"
                    "float g() { return f(2); }"),
              HasSubstr("of the device"));
  EXPECT_THAT(unfit("struct A { void (*f)(cooperative_groups::thread_block); };\nint n = sizeof(A);\n"
                    "int g() { return sizeof(A); }"),
              HasSubstr("of the device"));
  EXPECT_THAT(unfit("struct A { at::Tensor t; cuda::barrier<cuda::thread_scope_block> b; };"),
              HasSubstr("only the host knows"));
}

}  // namespace
}  // namespace wb
