// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/operator_choice.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;

std::vector<OperatorEntry> known() {
  return {
      {"aten::add.Scalar", "", false},      {"aten::add.Tensor", "", true},   {"aten::relu", "", true},
      {"aten::softmax.Dimname", "", false}, {"aten::softmax.int", "", false}, {"aten::sum", "", true},
      {"aten::sum.dim_IntList", "", false}, {"aten::where", "", true},        {"aten::where.self", "", true}};
}

std::vector<Case> suiteOf(const std::vector<std::string>& ops) {
  std::vector<Case> cases;
  for (const std::string& op : ops) {
    cases.emplace_back();
    cases.back().op = op;
  }
  return cases;
}

KernelSource kernel(const std::string& path, const std::string& op) {
  KernelSource source;
  source.path = path;
  source.op = op;
  return source;
}

std::string chosen(const KernelSource& source, const Claim& claim,
                   const std::vector<std::string>& suite = {}) {
  const Result<OperatorEntry> op = chooseOperator(source, claim, suiteOf(suite), known());
  return op ? op->name : "error: " + describe(op.error());
}

TEST(ChooseOperator, TheUserComesFirstThenTheHeaderThenTheFolderThenTheFunction) {
  const Claim claim{"aten::sum", {"relu_kernel_impl"}};
  EXPECT_EQ(chosen(kernel("add__Tensor/x.cpp", "where.self"), claim), "aten::where.self");
  EXPECT_EQ(chosen(kernel("add__Tensor/x.cpp", ""), claim), "aten::sum");
  EXPECT_EQ(chosen(kernel("add__Tensor/x.cpp", ""), {"", {"relu_kernel_impl"}}), "aten::add.Tensor");
  EXPECT_EQ(chosen(kernel("here/x.cpp", ""), {"", {"relu_kernel_impl"}}), "aten::relu");
  EXPECT_EQ(chosen(kernel("x.cpp", ""), {"", {"helper", "relu"}}), "aten::relu");
}

TEST(ChooseOperator, AFolderOfBackendBenchNeedsNoOverload) {
  EXPECT_EQ(chosen(kernel("k/relu/relu_implementation_v1.cpp", ""), {"", {"f"}}), "aten::relu");
  EXPECT_THAT(chosen(kernel("k/relu/mine.cpp", ""), {"", {"f"}}), HasSubstr("error"));
}

TEST(ChooseOperator, ABareFunctionNameMeansTheSuitesOnlyOverload) {
  EXPECT_EQ(chosen(kernel("x.cpp", ""), {"", {"where"}}), "aten::where");
  EXPECT_EQ(chosen(kernel("x.cpp", ""), {"", {"where"}}, {"aten::where.self"}), "aten::where.self");
  EXPECT_EQ(chosen(kernel("x.cpp", ""), {"", {"softmax"}}, {"aten::softmax.int"}), "aten::softmax.int");
  EXPECT_EQ(chosen(kernel("x.cpp", ""), {"", {"sum"}}, {"aten::sum", "aten::sum.dim_IntList"}), "aten::sum");
}

TEST(ChooseOperator, SaysWhatItCannotTell) {
  EXPECT_THAT(chosen(kernel("x.cpp", ""), {}), HasSubstr("--op"));
  EXPECT_THAT(chosen(kernel("x.cpp", ""), {"", {"softmax"}}), HasSubstr("softmax.int"));
  EXPECT_THAT(chosen(kernel("x.cpp", "rellu"), {}), HasSubstr("relu"));
}

TEST(CasesOf, ListsTheOperatorsThatTheSuiteHas) {
  const std::vector<Case> suite = suiteOf({"aten::relu", "aten::sum", "aten::relu"});
  EXPECT_EQ(casesOf({"aten::relu", "", true}, "smoke", suite)->size(), 2U);
  const auto none = casesOf({"aten::add.Tensor", "", true}, "smoke", suite);
  ASSERT_FALSE(none);
  EXPECT_THAT(describe(none.error()), HasSubstr("suite 'smoke' has no case of aten::add.Tensor"));
  EXPECT_THAT(describe(none.error()), HasSubstr("relu.default, sum.default"));
}

TEST(CasesOf, SaysWhichSuiteHasTheOperatorInsteadOfAThousandNames) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("aten::other" + std::to_string(i));
  const auto none = casesOf({"aten::_softmax", "", true}, "opinfo cpu bfloat16", suiteOf(names));
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, HasSubstr("suite 'smoke' has some"));
  EXPECT_THAT(none.error().hint, HasSubstr("100 operators"));
  EXPECT_LT(none.error().hint.size(), 300U);
}

}  // namespace
}  // namespace wb
