// SPDX-License-Identifier: Apache-2.0
#include "core/suites/suites.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/base/files/file.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class SuitesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/wb-suites-XXXXXX";
    folder_ = mkdtemp(pattern);
    setenv("WARPBENCH_RESOURCES", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("WARPBENCH_RESOURCES");
    std::filesystem::remove_all(folder_);
  }
  std::string write(const std::string& name, std::string_view text) {
    const auto path = folder_ / name;
    EXPECT_TRUE(writeFileAtomically(path, text));
    return path.string();
  }
  std::filesystem::path folder_;
};

constexpr std::string_view small =
    "#  Small: two operators\n"
    "Operator: aten.relu.default\ncnt: 1, ((T([2], f32),), {})\ncnt: 1, ((T([3], f32),), {})\n"
    "Operator: aten.add.Tensor\ncnt: 1, ((T([2], f32), T([2], f32)), {})\n";

TEST_F(SuitesTest, AddingAFileAddsASuite) {
  const auto made = suites().size();
  write("suites/small.txt", small);
  write("suites/another.txt", "Operator: relu\n");
  write("suites/notes.md", "no suite");
  const auto found = suites();
  ASSERT_EQ(found.size(), made + 2);
  EXPECT_EQ(found[0].name, "another");
  EXPECT_EQ(found[0].description, "");
  EXPECT_EQ(found[1].name, "small");
  EXPECT_EQ(found[1].description, "Small: two operators");
}

TEST_F(SuitesTest, LoadsByNameElseAsAFile) {
  write("suites/small.txt", small);
  const auto file = write("mine.txt", "Operator: tanh\ncnt: 1, ((T([2], f32),), {})\n");
  ASSERT_TRUE(loadSuite("small"));
  EXPECT_EQ(loadSuite("small")->name, "small");
  EXPECT_EQ(loadSuite("small")->cases.size(), 3U);
  ASSERT_TRUE(loadSuite(file));
  EXPECT_EQ(loadSuite(file)->name, "mine.txt");
  EXPECT_EQ(loadSuite(file)->cases[0].origin.file, file);
}

TEST_F(SuitesTest, WhatCannotBeLoadedIsSaid) {
  write("suites/small.txt", small);
  const auto errorOf = [](const std::string& name) {
    const auto suite = loadSuite(name);
    return suite ? std::string("loaded") : describe(suite.error());
  };
  EXPECT_THAT(errorOf("smal"), AllOf(HasSubstr("neither a suite nor a file"), HasSubstr("small")));
  EXPECT_THAT(errorOf("zzzzzzzz"), HasSubstr("small"));
  EXPECT_THAT(errorOf(""), HasSubstr("neither"));
  EXPECT_THAT(errorOf(folder_.string()), HasSubstr(folder_.string()));
  EXPECT_THAT(errorOf(write("empty.txt", "# nothing\n")), HasSubstr("holds no cases"));
  EXPECT_THAT(errorOf(write("binary.txt", std::string_view("PAR1\0\1\2", 7))), HasSubstr("binary.txt"));
  EXPECT_THAT(errorOf(write("broken.txt", "Operator: relu\ncnt: 1, ((T([2], f32),), {)")),
              HasSubstr("broken.txt:2:"));
}

TEST_F(SuitesTest, FilterKeepsTheNamedOperators) {
  write("suites/small.txt", small);
  const auto filtered = [](std::vector<std::string> filters) {
    return filterOperators(*loadSuite("small"), filters);
  };
  EXPECT_EQ(filtered({})->cases.size(), 3U);
  EXPECT_EQ(filtered({"relu"})->cases.size(), 2U);
  EXPECT_EQ(filtered({"add__Tensor"})->cases.size(), 1U);
  EXPECT_EQ(filtered({"relu", "aten::add.Tensor"})->cases.size(), 3U);
  EXPECT_EQ(filtered({"*"})->cases.size(), 3U);
  const auto none = filtered({"relu", "rel"});
  ASSERT_FALSE(none);
  EXPECT_THAT(describe(none.error()),
              AllOf(HasSubstr("\"rel\""), HasSubstr("did you mean relu?"), Not(HasSubstr("add.Tensor"))));
  EXPECT_THAT(describe(filtered({"svd"}).error()), HasSubstr("it has add.Tensor, relu.default"));
}

TEST_F(SuitesTest, TheLargestOfEachOperatorComeInBackendBenchsOrder) {
  write("suites/sizes.txt",
        "Operator: relu\ncnt: 1, ((T([2], f32),), {})\ncnt: 1, ((T([8], f16),), {})\ncnt: 1, ((T([4], "
        "f32),), {})\n"
        "Operator: add.Tensor\ncnt: 1, ((T([1], f64), T([1], f64)), {})\n"
        // two megabytes by their shape, two bytes of memory: BackendBench counts the shape
        "Operator: relu\ncnt: 1, ((T([1024, 1024], bf16, [0, 0]),), {})\n");
  const auto top = loadSuite(SuiteRequest{.name = "sizes", .topn = 3});
  ASSERT_TRUE(top);
  std::vector<std::string> calls;
  for (const Case& definition : top->cases) calls.push_back(definition.args);
  // by bytes, then by text, both descending; operators as first seen
  EXPECT_THAT(calls, ::testing::ElementsAre("((T([1024, 1024], bf16, [0, 0]),), {})", "((T([8], f16),), {})",
                                            "((T([4], f32),), {})", "((T([1], f64), T([1], f64)), {})"));
  EXPECT_EQ(loadSuite(SuiteRequest{.name = "sizes"})->cases.size(), 5U);
}

TEST_F(SuitesTest, ACallThatIsRepeatedIsOneCase) {
  write("suites/twice.txt",
        "Operator: relu\ncnt: 2, ((T([2], f32),), {})\ncnt: 3, ((T([2], f32),), {})\ncnt: 1, ((T([3], "
        "f32),), {})\n");
  const auto suite = loadSuite("twice");
  ASSERT_TRUE(suite);
  ASSERT_EQ(suite->cases.size(), 2U);
  EXPECT_EQ(suite->cases[0].count, 5);
}

TEST_F(SuitesTest, ATracesCasesCountWhateverAnswerPassesThem) {
  write("suites/small.txt", small);
  EXPECT_FALSE(loadSuite("small")->scoreTrivial);
  EXPECT_TRUE(loadSuite(write("trace.txt", small))->scoreTrivial);
}

TEST_F(SuitesTest, AKernelsOwnCasesLieBesideIt) {
  write("relu.cases.txt", "Operator: relu\ncnt: 1, ((T([7], f32),), {})\n");
  const auto kernel = folder_ / "relu.cu";
  const auto suite = loadSuite(SuiteRequest{.name = "beside", .kernel = kernel});
  ASSERT_TRUE(suite) << describe(suite.error());
  EXPECT_EQ(suite->cases.at(0).shapes, "7");
  const auto none = casesBeside(folder_ / "gelu.cu");
  ASSERT_FALSE(none);
  EXPECT_THAT(describe(none.error()), HasSubstr("gelu.cases.txt"));
  EXPECT_FALSE(loadSuite("beside"));  // no kernel
}

bool hasEmptyTensor(const Literal& literal) {
  if (const auto tensor = tensorLiteral(literal))
    return std::find(tensor->shape.begin(), tensor->shape.end(), 0) != tensor->shape.end();
  return std::any_of(literal.items.begin(), literal.items.end(), hasEmptyTensor);
}

/// The suite that is shipped.
class SmokeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("WARPBENCH_RESOURCES", (std::string(WB_SOURCE_DIR) + "/resources").c_str(), 1);
    auto suite = loadSuite("smoke");
    ASSERT_TRUE(suite) << describe(suite.error());
    cases_ = suite->cases;
  }
  void TearDown() override { unsetenv("WARPBENCH_RESOURCES"); }
  std::vector<Case> cases_;
};

TEST_F(SmokeTest, HasItsOperatorsWithTypesAndLayouts) {
  std::map<std::string, std::vector<Case>> byOperator;
  for (const Case& definition : cases_) byOperator[shortName(definition.op)].push_back(definition);
  for (const char* op :
       {"relu.default", "add.Tensor", "mul.Tensor", "gelu.default", "sigmoid.default", "exp.default",
        "_softmax.default", "softmax.int", "sum.dim_IntList", "mean.dim", "mm.default", "bmm.default",
        "native_layer_norm.default", "cat.default", "where.self"})
    EXPECT_EQ(byOperator.count(op), 1U) << op;
  for (const auto& [op, cases] : byOperator) {
    std::set<std::string> dtypes;
    bool empty = false, strided = false, odd = false;
    for (const Case& definition : cases) {
      const auto literal = parseLiteral(definition.args);
      ASSERT_TRUE(literal);
      for (std::size_t at = definition.args.find("T(["); at != std::string::npos;
           at = definition.args.find("T([", at + 1)) {
        const auto start = definition.args.find("], ", at) + 3;
        dtypes.insert(definition.args.substr(start, definition.args.find_first_of(",)", start) - start));
      }
      empty = empty || hasEmptyTensor(*literal);
      strided = strided || definition.shapes.find("strided") != std::string::npos;
      odd = odd || definition.shapes.find("17") != std::string::npos;
      EXPECT_LE(tensorBytes(*literal), 64 << 20) << definition.args;
    }
    EXPECT_GE(cases.size(), 8U) << op;
    EXPECT_TRUE(empty) << op;
    EXPECT_TRUE(strided) << op;
    EXPECT_TRUE(odd) << op;
    for (const char* dtype : {"f32", "f16", "bf16", "f64"})
      EXPECT_EQ(dtypes.count(dtype), 1U) << op << " " << dtype;
  }
}

TEST_F(SmokeTest, CasesDifferAndParseUnderBackendBenchsExpression) {
  std::set<std::uint64_t> seeds;
  for (const Case& definition : cases_) {
    EXPECT_TRUE(seeds.insert(definition.seed).second) << definition.op << " " << definition.args;
    // BackendBench: cnt: (\d+), (\(\(.*\), \{.*\}\))
    EXPECT_TRUE(definition.args.starts_with("((") && definition.args.ends_with("})"));
    EXPECT_THAT(definition.args, HasSubstr("), {"));
    EXPECT_EQ(print(*parseLiteral(definition.args)), definition.args);  // in BackendBench's own spelling
  }
}

TEST_F(SmokeTest, DescribesItself) {
  for (const SuiteInfo& info : suites()) EXPECT_FALSE(info.description.empty()) << info.name;
}

}  // namespace
}  // namespace wb
