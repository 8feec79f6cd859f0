// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using testing::ElementsAre;

CudaSource scanned(const std::string& text) {
  return scanCudaSource(text, "k.cu");
}

TEST(Signature, ReadsNamesTypesAndPlaces) {
  const auto source = scanned(
      "\nextern \"C\" __global__ void relu(const scalar_t* __restrict__ x, scalar_t* out, long long n) { }");
  ASSERT_EQ(source.kernels.size(), 1U);
  const auto& kernel = source.kernels[0];
  EXPECT_EQ(kernel.name, "relu");
  EXPECT_EQ(kernel.place, (Place{"k.cu", 2, 28}));
  ASSERT_EQ(kernel.parameters.size(), 3U);
  EXPECT_EQ(kernel.parameters[0].type, "scalar_t");
  EXPECT_EQ(kernel.parameters[0].name, "x");
  EXPECT_TRUE(kernel.parameters[0].pointer && kernel.parameters[0].readOnly);
  EXPECT_TRUE(kernel.parameters[1].pointer);
  EXPECT_FALSE(kernel.parameters[1].readOnly);
  EXPECT_EQ(kernel.parameters[2].type, "long long");
  EXPECT_EQ(kernel.parameters[2].name, "n");
  EXPECT_EQ(kernel.parameters[2].written, "long long n");
  EXPECT_EQ(kernel.parameters[2].place.column, 80);
  EXPECT_TRUE(source.usesScalarType);
}

std::vector<std::string> typesOf(const std::string& parameters) {
  std::vector<std::string> types;
  const auto source = scanned("__global__ void k(" + parameters + ") {}");
  for (const auto& each : source.kernels.at(0).parameters)
    types.push_back(each.type + (each.pointer ? " *" : "") + (each.name.empty() ? "" : " " + each.name));
  return types;
}

TEST(Signature, UnderstandsTheWaysToWriteParameters) {
  EXPECT_THAT(typesOf(""), ElementsAre());
  EXPECT_THAT(typesOf("void"), ElementsAre());
  EXPECT_THAT(typesOf("float const* const x, const unsigned n"), ElementsAre("float * x", "unsigned n"));
  EXPECT_THAT(typesOf("int, float*"), ElementsAre("int", "float *"));
  EXPECT_THAT(typesOf("std::int64_t n, ::size_t m, unsigned long"),
              ElementsAre("std::int64_t n", "::size_t m", "unsigned long"));
  EXPECT_THAT(typesOf("float x[], int n = 3"), ElementsAre("float * x", "int n"));
  EXPECT_THAT(typesOf("Pair<int, float> p, float** rows"), ElementsAre("Pair<int,float> p", "float* * rows"));
  EXPECT_THAT(typesOf("const __grid_constant__ int n"), ElementsAre("int n"));
}

TEST(Signature, SkipsCommentsStringsAndPreprocessorLines) {
  const auto source = scanned(R"cu(
// __global__ void a(int x) {}
/* __global__ void b(int x) {} */
#define KERNEL __global__ void c(int x) \
  { }
const char* s = "__global__ void d(int x) {}";
const char* r = R"(__global__ void e(int x) {})";
__global__ void f(int x /* the, count */, /* ( */ float y) { if (x > 1'000) return; }
)cu");
  ASSERT_EQ(source.kernels.size(), 1U);
  EXPECT_EQ(source.kernels[0].name, "f");
  EXPECT_EQ(source.kernels[0].parameters.size(), 2U);
  EXPECT_FALSE(source.usesScalarType);
  EXPECT_FALSE(source.includesFiles);
}

TEST(Signature, SkipsWhatIsNeverCompiled) {
  const auto source = scanned(
      "#if 0\n__global__ void a(int x) {}\n#else\n__global__ void b(int x) {}\n#endif\n"
      "#define WHY \"include \\\"this\\\"\"\n__global__ void $c(größe_t n, ker\\\nnel_t m) {}\n");
  ASSERT_EQ(source.kernels.size(), 2U);
  EXPECT_EQ(source.kernels[0].name, "b");
  EXPECT_EQ(source.kernels[1].name, "$c");
  EXPECT_EQ(source.kernels[1].parameters.at(0).type, "größe_t");
  EXPECT_EQ(source.kernels[1].parameters.at(1).type, "kernel_t");
  EXPECT_FALSE(source.includesFiles);
}

TEST(Signature, AttributesAreNoNames) {
  const auto source = scanned(
      "static __global__ __launch_bounds__(256, 2) void __attribute__((noinline)) k(int n) {}\n"
      "__global__ void __launch_bounds__(128) l(int n);");
  ASSERT_EQ(source.kernels.size(), 2U);
  EXPECT_EQ(source.kernels[0].name, "k");
  EXPECT_EQ(source.kernels[1].name, "l");
}

TEST(Signature, TemplatesAndNamespaces) {
  const auto source = scanned(
      "namespace a::b { namespace { int helper() { return 1; } }\n"
      "template <typename T, class U = float, int N = 4> __global__ void k(T* x, U y) {} }\n"
      "template <typename T> struct S { T x; };\n__global__ void plain(int n) {}");
  ASSERT_EQ(source.kernels.size(), 2U);
  EXPECT_EQ(source.kernels[0].name, "a::b::k");
  EXPECT_THAT(source.kernels[0].typeNames, ElementsAre("T", "U"));
  EXPECT_THAT(source.kernels[0].valueNames, ElementsAre("T", "U", "N"));
  EXPECT_EQ(source.kernels[0].templateParameters, 3U);
  EXPECT_EQ(source.kernels[1].name, "plain");
  EXPECT_EQ(source.kernels[1].templateParameters, 0U);
  EXPECT_TRUE(source.usesScalarType);
}

TEST(Signature, ADeclarationAndItsDefinitionAreOne) {
  const auto source = scanned(
      "__global__ void k(int);\nusing index_t = long;\ntypedef unsigned int word;\n__global__ void k(int "
      "count) {}");
  ASSERT_EQ(source.kernels.size(), 1U);
  EXPECT_EQ(source.kernels[0].parameters[0].name, "count");
  EXPECT_EQ(source.aliases.at("index_t"), "long");
  EXPECT_EQ(source.aliases.at("word"), "unsigned int");
}

TEST(Signature, SeesWhetherOtherFilesAreIncluded) {
  EXPECT_TRUE(scanned("#include \"common.cuh\"\n").includesFiles);
  EXPECT_FALSE(scanned("#include <cuda_fp16.h>\n").includesFiles);
}

TEST(Signature, BrokenSourcesDoNotBreakIt) {
  for (const char* text : {"__global__", "__global__ void", "__global__ void k(", "__global__ void k(int a",
                           "template <", "template <typename T", "namespace", "using x =", "typedef", "\"",
                           "/*", "R\"(", "#define x \\", "'", "}}}}", "__global__ __launch_bounds__("})
    // What is there of a kernel may be found, and nothing that is not.
    for (const CudaKernel& kernel : scanned(text).kernels) EXPECT_EQ(kernel.name, "k") << text;
}

}  // namespace
}  // namespace wb
