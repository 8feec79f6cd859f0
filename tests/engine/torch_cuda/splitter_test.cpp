// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/splitter.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "core/engine/compile/torch_cuda/split/instances.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;
using LineColumn = MappedText::LineColumn;

Split split(const std::string& source, const std::map<std::string, std::string>& beside = {}) {
  return splitSource(source, "/k/mine.cu",
                     [&](const std::string&, const std::string& named) -> std::optional<IncludedFile> {
                       const auto found = beside.find(named);
                       if (found == beside.end()) return std::nullopt;
                       return IncludedFile{"/k/" + named, found->second};
                     });
}
std::string host(const std::string& source) {
  const auto parts = split(source);
  EXPECT_EQ(parts.unfit, "");
  return parts.files[0].host.text();
}
std::string device(const std::string& source) {
  return split(source).files[0].device.text();
}
std::string unfit(const std::string& source) {
  return split(source).unfit;
}
/// Without runs of blanks.
std::string tight(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ' && out.back() != '\n')) out += c;
  return out;
}
auto lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(CudaSplit, LaunchesBecomeAConfigurationAndACall) {
  EXPECT_EQ(host("void f() { k<<<g, b>>>(x, n); }"),
            "void f() { (::warpbench_cuda::configure(g, b), k(x, n)); }");
  EXPECT_EQ(host("void f() { ns::k<float, 4><<<dim3(a, b), c, s, st.stream()>>>(x); }"),
            "void f() { (::warpbench_cuda::configure(dim3(a, b), c, s, st.stream()), ns::k<float, 4>(x)); }");
  EXPECT_EQ(host("void f() { if (n) k<<<1, 2>>>(); else ::k2<<<3, 4>>>(); }"),
            "void f() { if (n) (::warpbench_cuda::configure(1, 2), k()); else "
            "(::warpbench_cuda::configure(3, 4), ::k2()); }");
}

TEST(CudaSplit, TemplateArgumentsThatEndInAnglesAreNoPartOfTheArrows) {
  EXPECT_EQ(host("void f() { k<A<B<int>>><<<up<int>(n), C<D<4>>::x>>>(x); }"),
            "void f() { (::warpbench_cuda::configure(up<int>(n), C<D<4>>::x), k<A<B<int>>>(x)); }");
  EXPECT_EQ(host("void f() { k<(N > 4)><<<n >> 2, b>>>(x >> 1); }"),
            "void f() { (::warpbench_cuda::configure(n >> 2, b), k<(N > 4)>(x >> 1)); }");
}

TEST(CudaSplit, LaunchesInsideLambdasMacrosAndDispatchAreFound) {
  EXPECT_EQ(host("void f() { AT_DISPATCH_FLOATING_TYPES(t, \"f\", ([&] { k<scalar_t><<<g, b>>>(x); })); }"),
            "void f() { AT_DISPATCH_FLOATING_TYPES(t, \"f\", ([&] { (::warpbench_cuda::configure(g, b), "
            "k<scalar_t>(x)); })); }");
  EXPECT_EQ(host("#define GO(T, ...) \\\n  k<T><<<g, b>>>(__VA_ARGS__);\nvoid f() { GO(float, x) }\n"),
            "#define GO(T, ...) \\\n  (::warpbench_cuda::configure(g, b), k<T>(__VA_ARGS__));\nvoid f() { "
            "GO(float, x) }\n");
  EXPECT_EQ(host("void f() { auto p = &k<int>; p<<<1, 1>>>(x); table[i]<<<1, 1>>>(x); (*q)<<<1, 1>>>(x); }"),
            "void f() { auto p = &k<int>; (::warpbench_cuda::configure(1, 1), p(x)); "
            "(::warpbench_cuda::configure(1, 1), "
            "table[i](x)); (::warpbench_cuda::configure(1, 1), (*q)(x)); }");
}

TEST(CudaSplit, CommentsAndLiteralsAreLeftAlone) {
  const std::string text =
      "// k<<<1, 2>>>(x)\n/* __global__ void k() { */\nconst char* s = \"k<<<1, 2>>>(x)\";\n"
      "const char* r = R\"x(__global__ k<<<1>>>(\" )x\";\nint n = 1'000'000;\nchar c = '\"';\n";
  EXPECT_EQ(host(text), text);
  EXPECT_EQ(host("#if 0\n__global__ void k( {\n#endif\nint x;\n"),
            "#if 0\n__global__ void k( {\n#endif\nint x;\n");
}

TEST(CudaSplit, WhatIsNeverCompiledIsLeftAlone) {
  const std::string off = "#if 0 /* off */\n__global__ void k( {\n#endif\nint x;\n";
  EXPECT_EQ(host(off), off);
  const std::string two = "#if 1\nint f() { return 1; }\n#else\nint f() { k<<<1, 2>>>(); {\n#endif\n";
  EXPECT_EQ(host(two), two);
  const std::string quoted = "#define GLOB \"/*\"\nvoid f() { k<<<1, 2>>>(); }\n";
  EXPECT_THAT(host(quoted), HasSubstr("configure(1, 2), k()"));
}

TEST(CudaSplit, LinesStayWhereTheyAre) {
  const std::string text =
      "__global__ void k(float* x) {\n  x[0] = 1;\n  x[1] = 2;\n}\nvoid f(float* x) {\n  k<<<1,  // one\n    "
      " 2>>>(\n      x);\n  "
      "int later;\n}\n";
  const auto parts = split(text);
  EXPECT_EQ(lines(parts.files[0].host.text()), lines(text));
  EXPECT_EQ(lines(parts.files[0].device.text()), lines(text));
  const auto& made = parts.files[0].host.text();
  const auto at = made.find("int later");
  EXPECT_EQ(lines(made.substr(0, at)), lines(text.substr(0, text.find("int later"))));
}

TEST(CudaSplit, PlacesInMovedTextAreTheUsers) {
  const std::string text = "void f() {\n  k<T><<<grid, block>>>(wrong, n); after();\n}\n";
  const auto parts = split(text);
  const auto& made = parts.files[0].host;
  for (const std::string word : {"k<T>", "grid", "block", "wrong", "after"}) {
    const auto column = [&](const std::string& in) {
      const auto at = in.find(word);
      return static_cast<int>(at - in.rfind('\n', at));
    };
    EXPECT_EQ(made.sourceOf({2, column(made.text())}), (LineColumn{2, column(text)})) << word;
  }
  EXPECT_EQ(made.sourceOf({3, 1}), (LineColumn{3, 1}));
}

TEST(CudaSplit, AKernelsBodyBecomesItsLaunch) {
  const auto text = host(
      "namespace a { namespace {\ntemplate <typename T, int N = 4>\n__global__ void __launch_bounds__(256) "
      "k(const T* __restrict__ x, int) {\n  threadIdx.x;\n}\n}}\n");
  EXPECT_THAT(
      text,
      HasSubstr(
          "spellName(\"a::k\", {::warpbench_cuda::spellType<T>(), ::warpbench_cuda::spellValue<N>()})"));
  EXPECT_THAT(text, HasSubstr("::warpbench_cuda::Plain<decltype(warpbench_unnamed1)>)>(&k<T, N>)"));
  EXPECT_THAT(text, HasSubstr("int warpbench_unnamed1)"));
  EXPECT_THAT(text, Not(HasSubstr("threadIdx")));
  EXPECT_THAT(host("template <> __global__ void k<float>(float* x) { asm(\"\"); }"),
              HasSubstr("return \"k<float>\"; }"));
  EXPECT_THAT(host("template <typename... T> __global__ void k(T... all) {}"),
              HasSubstr("(&k<T...>), warpbench_name>::launch(all...)"));
}

TEST(CudaSplit, AChangeInAKernelsBodyAloneLeavesTheHostPart) {
  EXPECT_EQ(host("__global__ void k(int* x) {\n  x[0] = 1;\n}\nint y;\n"),
            host("__global__ void k(int* x) {\n  x[12] = 34 + 5;  // more\n}\nint y;\n"));
  const auto parts = split("__global__ void k(int* x) {\n  x[0] = 1;\n} int y;\n");
  const auto& made = parts.files[0].host;
  EXPECT_EQ(made.sourceOf({1, 60}), (LineColumn{1, 27}));
  EXPECT_EQ(made.sourceOf({3, 7}), (LineColumn{3, 7}));
}

TEST(CudaSplit, MacrosOfAKernelsBodyAreKnownToTheHost) {
  EXPECT_EQ(tight(host(
                "__device__ void d() {\n  a();\n#ifdef A\n#define TILE 4\n#pragma unroll\n  b();\n#endif\n}\n"
                "void f() { k<<<1, TILE>>>(); }\n")),
            "__device__ void d() { __builtin_unreachable(); \n\n#ifdef A\n#define TILE 4\n\n\n#endif\n}\n"
            "void f() { (::warpbench_cuda::configure(1, TILE), k()); }\n");
  EXPECT_EQ(host("__device__ void d() {\n#ifdef A\n  a();\n#endif\n}\n"),
            "__device__ void d() { __builtin_unreachable(); \n\n\n\n}\n");
}

TEST(CudaSplit, DeviceFunctionsHaveNoBodyOnTheHost) {
  EXPECT_THAT(host("__device__ float f(float x) { return __expf(x); }"), Not(HasSubstr("__expf")));
  EXPECT_THAT(host("__host__ __device__ float f(float x) { return x * x; }"), HasSubstr("return x * x;"));
  EXPECT_THAT(host("#define DEV __device__ __forceinline__\nDEV float f(float x) { return __expf(x); }"),
              Not(HasSubstr("__expf")));
  EXPECT_THAT(host("struct A { __device__ A(int i) : i_(i) { __syncthreads(); } int i_; };"),
              Not(HasSubstr("__syncthreads")));
  EXPECT_THAT(host("__global__ void k(float* x);\n__device__ int n;\n"),
              HasSubstr("__global__ void k(float* x);\n__device__ int n;"));
}

TEST(CudaSplit, TheDeviceHasNoHostFunctions) {
  const auto text = device(
      "#include <torch/extension.h>\n#include <vector>\n#include <cuda_fp16.h>\nconstexpr int N = 4;\nusing "
      "T2 = at::Tensor;\n"
      "namespace py = pybind11;\nstatic int counter = 0;\nvoid launch(float* x);\nT2 id(T2 x) { return x; }\n"
      "constexpr int up(int n) { return n + N; }\n__global__ void k(float* x) { x[up(0)] = 1; }\n"
      "at::Tensor f(at::Tensor x) { k<<<1, 1>>>(x.data_ptr<float>()); return x; }\nPYBIND11_MODULE(name, m) "
      "{ m.def(\"f\", &f); }\n");
  EXPECT_EQ(tight(text),
            "\n\n#include <cuda_fp16.h>\nconstexpr int N = 4;\n\n\n\n\n\nconstexpr int up(int n) { return n "
            "+ N; }\n"
            "__global__ void k(float* x) { x[up(0)] = 1; }\n\n\n");
}

TEST(CudaSplit, TypesOfTheDeviceStayAndTypesOfTheHostGo) {
  const auto text = device(
      "enum class Mode { sum, mean };\nstruct Add { __device__ float operator()(float a) const { return a; } "
      "};\n"
      "struct Holder { at::Tensor x; };\nvoid use(Holder h) {}\nstruct Both { int n; static Both of(const "
      "at::Tensor& t) { return {1}; } };\n"
      "template <typename Scalar> struct Vec { Scalar v[4]; };\n");
  EXPECT_THAT(text, HasSubstr("enum class Mode { sum, mean };"));
  EXPECT_THAT(text, HasSubstr("operator()(float a) const { return a; }"));
  EXPECT_THAT(text, Not(HasSubstr("Holder")));
  EXPECT_THAT(tight(text), HasSubstr("struct Both { int n; };"));
  EXPECT_THAT(text, HasSubstr("struct Vec { Scalar v[4]; };"));
}

TEST(CudaSplit, AClassGoesOnToItsOwnSemicolon) {
  EXPECT_EQ(tight(device("struct A { at::Tensor t; } a = [] { g(); return A{}; }();\n__device__ int n;\n")),
            "\n__device__ int n;\n");
  EXPECT_EQ(tight(device("namespace n { struct A { at::Tensor t; } }\n__device__ int n;\n")),
            "namespace n { }\n__device__ int n;\n");
}

TEST(CudaSplit, ConditionsAndMacrosInsideAHostFunctionStay) {
  EXPECT_EQ(tight(device("void f() {\n#ifdef A\n#define WIDTH 4\n  g();\n#endif\n}\n")),
            "\n#ifdef A\n#define WIDTH 4\n\n#endif\n\n");
}

TEST(CudaSplit, OwnHeadersAreTakenApartToo) {
  const auto parts =
      split("#include \"util.cuh\"\nvoid f() { k<<<1, 1>>>(); }\n",
            {{"util.cuh", "#pragma once\n#include \"deep.h\"\n__global__ void k() { __syncthreads(); }\n"},
             {"deep.h", "#pragma once\ninline at::Tensor g(at::Tensor x) { return x; }\n"}});
  ASSERT_EQ(parts.files.size(), 3U);
  EXPECT_EQ(parts.files[0].host.text().substr(0, 31), "#include \"warpbench-1-util.cuh\"");
  EXPECT_EQ(parts.files[1].path, "/k/util.cuh");
  EXPECT_THAT(parts.files[1].host.text(), HasSubstr("#include \"warpbench-2-deep.h\""));
  EXPECT_THAT(parts.files[1].host.text(), Not(HasSubstr("__syncthreads")));
  EXPECT_THAT(parts.files[1].device.text(), HasSubstr("__syncthreads"));
  EXPECT_THAT(parts.files[2].device.text(), Not(HasSubstr("Tensor")));
  EXPECT_TRUE(parts.hasKernels);
}

TEST(CudaSplit, SaysWhatItCannotTake) {
  EXPECT_THAT(unfit("void f() { cudaMemcpyToSymbol(c, x, 4); }"), HasSubstr("cudaMemcpyToSymbol"));
  EXPECT_THAT(unfit("void f() { run([=] __device__ (int i) { return i; }); }"), HasSubstr("lambda"));
  EXPECT_THAT(unfit("void f() { cub::DeviceReduce::Sum(a, b); }"), HasSubstr("cub::DeviceReduce"));
  EXPECT_THAT(unfit("#include <thrust/sort.h>\n"), HasSubstr("thrust"));
  EXPECT_THAT(unfit("#define KERNEL(T) __global__ void k_##T(T* x) { x[0] = 1; }\n"), HasSubstr("macro"));
  EXPECT_THAT(unfit("__global__ void k() { k2<<<1, 1>>>(); }"), HasSubstr("launches a kernel"));
  EXPECT_THAT(unfit("template <template <class> class F> __global__ void k(F<int> f) {}"),
              HasSubstr("template template"));
  EXPECT_THAT(unfit("#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\n"),
              HasSubstr("groups of a condition"));
  EXPECT_THAT(unfit("#ifdef A\n__global__ void k() {\n#endif\n}\n"), HasSubstr("inside a kernel's body"));
  EXPECT_EQ(unfit("#ifdef A\nextern \"C\" {\n#endif\nvoid f();\n#ifdef A\n}\n#endif\n"), "");
  EXPECT_EQ(unfit("#if 1\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\n"), "");
  EXPECT_THAT(unfit("void f() { ker\\\nnel(); }"), HasSubstr("over a line's end"));
  EXPECT_THAT(unfit("void f() { k<\\\n<<1, 2>>>(); }"), HasSubstr("part of a launch"));
  EXPECT_THAT(unfit("void f() { k<<<j<<<1, 2>>>(), 3>>>(); }"), HasSubstr("part of a launch"));
  EXPECT_THAT(unfit("void f() { k<<<1, 2>>>()<<<3, 4>>>(); }"), HasSubstr("part of a launch"));
  EXPECT_THAT(unfit("__global__ void k(int) j<<<1, 2>>>(x) {}"), HasSubstr("name cannot be read"));
  EXPECT_THAT(unfit(std::string(300, '{')), HasSubstr("too deep"));
  EXPECT_EQ(unfit("__global__ void k() { auto f = [] __device__ (int i) { return i; }; extern __shared__ "
                  "float s[]; }"),
            "");
  EXPECT_EQ(unfit("void f() { auto n = cub::BlockReduce<float, 4>::x; }"), "");
}

TEST(CudaSplit, BrokenTextIsLeftToTheCompilers) {
  for (const std::string text : {"__global__ void k(float* x) {", "void f() { k<<<", "template <", "}}}",
                                 "#include \"", "R\"x(", "namespace a {"}) {
    const auto parts = split(text);
    EXPECT_EQ(parts.files.size(), 1U) << text;
  }
}

TEST(CudaSplit, HostFunctionsLeavesTheOthersOut) {
  EXPECT_EQ(tight(hostFunctions(
                "__global__ void relu(float* x) {}\nat::Tensor relu(at::Tensor x) { return x; }\n")),
            "\nat::Tensor relu(at::Tensor x) { return x; }\n");
}

TEST(CudaSplit, KernelsAreKnownByNameWithTheirNamespaces) {
  const auto parts = split(
      "#include \"util.cuh\"\nnamespace a { namespace { template <class T> __global__ void one(T* x) {} }\n"
      "template <> __global__ void two<float>(float* x) {} }\n__global__ void three();\n",
      {{"util.cuh", "namespace b::c { __global__ void four() {} __device__ int f() { return 1; } }\n"}});
  EXPECT_THAT(parts.kernels, testing::UnorderedElementsAre("a::one", "a::two<float>", "b::c::four"))
      << "what has no body is launched nowhere";
}

TEST(CudaSplit, AnInstanceIsAKernelOfTheSourceWithTypesAndNumbers) {
  const std::vector<std::string> kernels{"k", "ns::wide", "special<(1 << 2)>"};
  for (const char* name :
       {"k", "k<float>", "k<>", "ns::wide<c10::Half, 4>", "ns::wide<std::array<float, 3>, (ns::Mode)1, true>",
        "ns::wide<float *const, -7, 1.000000e+00>", "k<void (int, float)>", "k<float[3]>", "k<&ns::f>",
        "k<'a'>", "k<'\\n'>", "k<'>'>", "k<ns::Slope{1, 2}>", "special<(1 << 2)>"})
    EXPECT_TRUE(isInstance(name, kernels)) << name;
}

TEST(CudaSplit, ATextThatIsNoInstanceIsNone) {
  const std::vector<std::string> kernels{"k", "ns::wide"};
  for (const char* name : {"",
                           "other",
                           "wide<int>",
                           "k2",
                           "kk<int>",
                           "k<",
                           "k>",
                           "k<float",
                           "kfloat>",
                           "k <float>",
                           "k<float>(0)",
                           "k<float> + other<int>",
                           "k<float>); int x = (k<int>",
                           "k<float, [](){ return 1; }>",
                           "k<\"a\">",
                           "k<float>\n#include </etc/passwd>\nk<float>",
                           "k<float\n>",
                           "k<1 /* > */>",
                           "k<1 // >",
                           "k<a->b>",
                           "k<(>",
                           "k<)(>",
                           "k<[)>",
                           "k<''>",
                           "k<'ab'>",
                           "k<'\n'>",
                           "k<f\\x>",
                           "k<@>",
                           "k<#>"})
    EXPECT_FALSE(isInstance(name, kernels)) << name;
}

TEST(CudaSplit, NamesAreBoundedInCountAndLength) {
  const Split parts = split("template <int n> __global__ void k() {}\n");
  EXPECT_EQ(whyNoInstances({"k<1>", "k<2>"}, parts), "");
  EXPECT_EQ(whyNoInstances({}, parts), "");
  EXPECT_THAT(whyNoInstances(std::vector<std::string>(1000000, "k<1>"), parts),
              HasSubstr("names 1000000 kernels"));
  const std::string endless = "k<" + std::string(longestInstance, '1') + ">";
  EXPECT_THAT(whyNoInstances({"k<1>", endless}, parts), HasSubstr("none of its source: k<111"));
  EXPECT_LT(whyNoInstances({endless}, parts).size(), 200U);
}

}  // namespace
}  // namespace wb
