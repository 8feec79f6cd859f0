// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/source_scan.h"

#include <gmock/gmock.h>

#include "core/engine/compile/host/translation_unit.h"

namespace wb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names(std::string_view source) {
  std::vector<std::string> out;
  for (const auto& f : scanFunctions(source)) out.push_back(f.qualified);
  return out;
}

TEST(SourceScan, FindsDefinitionsAndNotDeclarations) {
  EXPECT_THAT(names("int a(int);\nint b(int x) { return a(x); }\nextern int c;\nint d() { if (c) { return 1; "
                    "} return 2; }"),
              ElementsAre("::b", "::d"));
}

TEST(SourceScan, SkipsCommentsAndLiterals) {
  EXPECT_THAT(names("// int a() {}\n/* int b() {} */ const char* s = \"int c() {\"; char q = '{';\n"
                    "const char* r = R\"x(int d() { )\" )x\"; int n = 1'000; int e() {}"),
              ElementsAre("::e"));
}

TEST(SourceScan, SkipsPreprocessorLines) {
  EXPECT_THAT(names("#define F(x) int x() { \\\n  return 1; }\n#if 0\nint a() {}\n#if 1\n#endif\n#else\nint "
                    "b() {}\n#endif\n"),
              ElementsAre("::b"));
}

TEST(SourceScan, FollowsNamespaces) {
  EXPECT_THAT(
      names("namespace a::b { int f() {} namespace { int g() {} } inline namespace v { int h() {} } }\n"
            "extern \"C\" { int i() {} } extern \"C\" int j() {}"),
      ElementsAre("::a::b::f", "::a::b::g", "::a::b::v::h", "::i", "::j"));
  const auto all = scanFunctions("namespace { int f() {} } static int g() {} int h() {}");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(all[0].internal);
  EXPECT_TRUE(all[1].internal);
  EXPECT_FALSE(all[2].internal);
}

TEST(SourceScan, SkipsMembersInitializersAndLambdas) {
  EXPECT_THAT(
      names("struct S { int f() { return 1; } S() : x{1} {} int x; };\nint S::g() { return 2; }\n"
            "std::vector<int> v{1, 2}; auto l = [](int x) { return x; };\nenum class E : int { a, b };\n"
            "bool operator==(S a, S b) { return true; } int last() {}"),
      ElementsAre("::last"));
}

TEST(SourceScan, FindsTheNameBehindAttributesTemplatesAndTrailingTypes) {
  EXPECT_THAT(names("[[nodiscard]] __attribute__((noinline)) std::tuple<at::Tensor, at::Tensor> a(int x) {}\n"
                    "auto b(const std::function<void(int)>& f) noexcept(true) -> std::function<int(int)> {}\n"
                    "std::function<int(int)> c() {}\nSOME_MACRO(1)\nint d() try {} catch (...) {}"),
              ElementsAre("::a", "::b", "::c", "::d"));
  const auto all = scanFunctions("template <class T> T f(T x) { return x; }");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].isTemplate);
}

TEST(SourceScan, SplitsParametersWithTheirPlaces) {
  const auto all = scanFunctions(
      "int f(const std::map<int, float>& m,\n      std::vector<int> v = {1, 2}, int (*g)(int, int)) {}");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].line, 1);
  EXPECT_EQ(all[0].column, 5);
  ASSERT_EQ(all[0].parameters.size(), 3U);
  EXPECT_EQ(all[0].parameters[0].text, "const std::map<int, float> & m");
  EXPECT_EQ(all[0].parameters[1].line, 2);
  EXPECT_EQ(all[0].parameters[1].column, 7);
  EXPECT_TRUE(scanFunctions("int f(void) {}")[0].parameters.empty());
}

TEST(SourceScan, SurvivesAnyText) {
  for (const char* text : {"",           "}",           "}}}{{{",  "int f(",
                           "int f() {",  "namespace {", "\"",      "'",
                           "R\"(",       "/*",          "#if 0\n", "<<<>>>",
                           "template <", "int f() }",   "(",       "=",
                           "\\\n",       "R\"",         "#",       "namespace a { int f() {"})
    (void)scanFunctions(text);
  EXPECT_THAT(names("} int f() {}"), ElementsAre("::f"));
}

TEST(SourceScan, MentionsLooksAtCodeOnly) {
  EXPECT_TRUE(mentions("auto l = torch :: nn::Linear(1, 2);", "torch::nn"));
  EXPECT_FALSE(mentions("// torch::nn\nconst char* s = \"torch::nn\"; int torch_nn;", "torch::nn"));
}

TEST(FindKernel, PrefersTheFolderFormAndTheSuffix) {
  EXPECT_THAT(kernelNames("aten::sum.dim_IntList"),
              ElementsAre("sum__dim_IntList_kernel_impl", "sum_kernel_impl", "sum__dim_IntList", "sum"));
  EXPECT_THAT(kernelNames("aten::relu"),
              ElementsAre("relu__default_kernel_impl", "relu_kernel_impl", "relu__default", "relu"));
  const auto found = findKernel("int relu(int x) {}\nint relu_kernel_impl(int x) {}", "k.cpp", "aten::relu");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "relu_kernel_impl");
  EXPECT_EQ(found->line, 2);
}

TEST(FindKernel, SaysWhatItLookedForAndWhatThereIs) {
  const auto found = findKernel("int relo(int x) {}\nint helper() {}", "dir/k.cpp", "aten::relu");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().stage, Stage::compile);
  EXPECT_EQ(found.error().place.file, "dir/k.cpp");
  EXPECT_THAT(found.error().text,
              HasSubstr("relu__default_kernel_impl, relu_kernel_impl, relu__default, relu."));
  EXPECT_THAT(found.error().text, HasSubstr("The source defines relo, helper."));
  EXPECT_THAT(findKernel("int x;", "k.cpp", "aten::relu").error().text, HasSubstr("no function at all"));
}

TEST(FindKernel, RefusesATemplate) {
  const auto found = findKernel("template <class T> T relu(T x) { return x; }", "k.cpp", "aten::relu");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text, HasSubstr("relu is a template"));
  EXPECT_EQ(found.error().place, (Place{"k.cpp", 1, 22}));
}

TEST(FindKernel, TakesTheFunctionThatIsBoundUnderTheName) {
  const std::string source =
      "namespace mine { int relu_forward(int x) { return x; } }\nint other(int x) { return x; }\n";
  const auto named = findKernel(
      source + "PYBIND11_MODULE(a, m) { m.def(\"relu\", &mine::relu_forward, \"x\"); m.def(\"o\", other); }",
      "k.cu", "aten::relu");
  ASSERT_TRUE(named) << named.error().text;
  EXPECT_EQ(named->qualified, "::mine::relu_forward");
  const auto only =
      findKernel(source + "PYBIND11_MODULE(a, m) { m.def(\"forward\", &other); }", "k.cu", "aten::relu");
  ASSERT_TRUE(only) << only.error().text;
  EXPECT_EQ(only->name, "other");
  EXPECT_FALSE(findKernel(
      source + "PYBIND11_MODULE(a, m) { m.def(\"a\", &mine::relu_forward); m.def(\"b\", &other); }", "k.cu",
      "aten::relu"));
  const auto possible =
      possibleKernels(source + "PYBIND11_MODULE(a, m) { m.def(\"relu\", &mine::relu_forward); }");
  EXPECT_EQ(possible.front(), "relu");
}

TEST(FindKernel, GuessesKernelsWithoutAnOperator) {
  EXPECT_THAT(
      possibleKernels("static int helper() {}\nint first() {}\nint add_kernel_impl() {}\nint last() {}\n"
                      "PYBIND11_MODULE(a, m) { m.def(\"x\"); }"),
      ElementsAre("add_kernel_impl", "last", "first", "helper"));
  EXPECT_THAT(possibleKernels("int x;"), IsEmpty());
}

}  // namespace
}  // namespace wb
