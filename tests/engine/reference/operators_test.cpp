// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "core/engine/reference/operator.h"

namespace wb {
namespace {

using testing::HasSubstr;

const OperatorEntry* find(const std::vector<OperatorEntry>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const OperatorEntry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

TEST(Operators, ListsThousandsInOrder) {
  const std::vector<OperatorEntry> all = operators();
  EXPECT_GT(all.size(), 3000U);
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  const OperatorEntry* relu = find(all, "aten::relu");
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(relu->schema, "aten::relu(Tensor self) -> Tensor");
}

TEST(Operators, KnowWhichOverloadTakesOnlyTensors) {
  const std::vector<OperatorEntry> all = operators();
  EXPECT_TRUE(find(all, "aten::add.Tensor")->tensorOnly);
  EXPECT_FALSE(find(all, "aten::add.Scalar")->tensorOnly);
  EXPECT_TRUE(find(all, "aten::where.self")->tensorOnly);
}

TEST(Operators, AreFoundByTheirSchemasName) {
  EXPECT_TRUE(findOperator("aten::relu"));
  EXPECT_TRUE(findOperator("aten::sum.dim_IntList"));
  const auto missing = findOperator("aten::no_such_operator");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text, HasSubstr("aten::no_such_operator"));
}

}  // namespace
}  // namespace wb
