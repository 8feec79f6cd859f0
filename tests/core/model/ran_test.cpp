// SPDX-License-Identifier: Apache-2.0
#include "core/model/ran.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::ElementsAre;

RanPart aten(const std::string& name, double seconds) {
  return {"ATen", name, 1, seconds};
}

TEST(Ran, WorkIsDelegatedToTheOperatorInAnyOfItsVariants) {
  EXPECT_EQ(delegatedTo("aten::add.Tensor", {{aten("aten::add_", 1)}}), "aten::add_");
  EXPECT_EQ(delegatedTo("aten::add_.Tensor", {{aten("aten::mul", 1), aten("aten::add", 0)}}), "aten::add");
  EXPECT_EQ(delegatedTo("aten::add.Tensor", {{aten("aten::addmm", 1)}}), "");
  EXPECT_EQ(delegatedTo("aten::abs", {{aten("aten::_foreach_abs", 1)}}), "aten::_foreach_abs");
  EXPECT_EQ(delegatedTo("aten::add_.Tensor", {{aten("aten::_foreach_add.List", 1)}}),
            "aten::_foreach_add.List");
  EXPECT_EQ(delegatedTo("problem::p1", {{{"reference", "problem::p1", 1, 1}}}), "problem::p1");
  EXPECT_EQ(delegatedTo("", {{aten("", 1)}}), "");
  EXPECT_EQ(delegatedTo("aten::relu", {{{"kernel", "aten::relu", 1, 1}}}), "") << "its own function";
}

TEST(Ran, TheSecondCallTellsTheTimeAndTheFirstOneWhatItCalledToo) {
  EXPECT_THAT(overTwoCalls({aten("aten::relu", 5), aten("aten::empty", 4)}, {aten("aten::relu", 1)}),
              ElementsAre(aten("aten::relu", 1), aten("aten::empty", 0)));
}

TEST(Ran, TheLargestPartsAreKeptAndTheOneDelegatedTo) {
  std::vector<RanPart> parts{aten("aten::a", 1), aten("aten::b", 3), aten("aten::relu", 0),
                             aten("aten::c", 2)};
  keepLargest(parts, "aten::relu", 2);
  EXPECT_THAT(parts, ElementsAre(aten("aten::b", 3), aten("aten::relu", 0)));
}

}  // namespace
}  // namespace wb
