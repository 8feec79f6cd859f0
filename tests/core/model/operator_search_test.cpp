// SPDX-License-Identifier: Apache-2.0
#include "core/model/operators/operator_search.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

const std::vector<OperatorEntry> some = {
    {"aten::_softmax", "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", false},
    {"aten::add.Tensor", "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", true},
    {"aten::relu", "aten::relu(Tensor self) -> Tensor", true},
    {"aten::relu6", "aten::relu6(Tensor self) -> Tensor", true},
    {"aten::relu_", "aten::relu_(Tensor(a!) self) -> Tensor(a!)", true},
    {"aten::softmax.int", "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", false},
    {"quantized::relu", "quantized::relu(Tensor self) -> Tensor", true},
};

std::vector<std::string> found(const char* typed, std::size_t most = 10) {
  std::vector<std::string> names;
  for (const std::size_t at : searchOperators(typed, some, most)) names.push_back(some[at].name);
  return names;
}

using Names = std::vector<std::string>;

TEST(OperatorSearch, TheNameItselfComesFirstThenWhatBeginsSo) {
  EXPECT_EQ(found("relu"), (Names{"aten::relu", "quantized::relu", "aten::relu6", "aten::relu_"}));
  EXPECT_EQ(found("Soft"), (Names{"aten::softmax.int", "aten::_softmax"}));
  EXPECT_EQ(found("aten::relu").front(), "aten::relu");
}

TEST(OperatorSearch, AWordMayStandInTheSchemaAndAllHaveToFit) {
  EXPECT_EQ(found("half_to"), Names{"aten::_softmax"});
  EXPECT_EQ(found("softmax dtype"), Names{"aten::softmax.int"});
  EXPECT_EQ(found("softmax banana"), Names{});
}

TEST(OperatorSearch, NothingTypedGivesEverydayOperatorsAndNoMoreThanAsked) {
  EXPECT_EQ(found("").front(), "aten::relu");
  EXPECT_EQ(found("  ", 2).size(), 2U);
  EXPECT_EQ(found("relu", 1), Names{"aten::relu"});
}

}  // namespace
}  // namespace wb
