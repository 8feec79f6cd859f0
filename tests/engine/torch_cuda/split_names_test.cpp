// SPDX-License-Identifier: Apache-2.0
// What one part cannot know and does not need is left out of it.
#include <gmock/gmock.h>

#include "core/engine/compile/torch_cuda/split/splitter.h"
#include "tests/engine/torch_cuda/split_checks.h"

namespace wb {
namespace {

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
std::string deviceOf(const std::string& text) {
  const auto split = splitAlone(text);
  EXPECT_EQ(split.unfit, "") << text;
  EXPECT_EQ(faultOf(text, split), "") << text;
  return code(split.files[0].device.text());
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

TEST(HostVariables, MembersThatNeedTheHostAreTheHosts) {
  const std::string text =
      "int f() { return 4; }\nstruct A {\nint n;\nint m = f();\nstatic inline int count = f();\n"
      "A() { try { n = 1; } catch (...) {} }\nint g() const { if (n) throw 1; return n; }\n"
      "int h() const { return f(); }\nint keep() const { return n; }\n};\n";
  EXPECT_EQ(deviceOf(text), "struct A {\nint n;\nint m      ;\nint keep() const { return n; }\n};\n");
}

}  // namespace
}  // namespace wb
