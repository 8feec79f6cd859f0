// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace wb {
namespace {

using testing::HasSubstr;

const Operands& someOperands() {
  static const Operands operands{
      {"self", TensorFacts{{2, 3, 5}, {15, 5, 1}, 4}},
      {"flat", TensorFacts{{7}, {1}, 2}},
      {"scalar", TensorFacts{{}, {}, 8}},
      {"alpha", 2.5},
      {"n", std::int64_t{10}},
      {"keepdim", true},
      {"dims", std::vector<std::int64_t>{1, -1}},
      {"factors", std::vector<double>{0.5}},
      {"weight", std::monostate{}},
      {"approximate", TextOperand{"tanh"}},
      {"tensors", UnusableOperand{"a list of tensors"}},
      {"big", std::numeric_limits<std::int64_t>::max()},
      {"huge", TensorFacts{{std::int64_t{1} << 40, std::int64_t{1} << 40}, {1, 1}, 1}}};
  return operands;
}

Result<Number> evaluated(const std::string& text) {
  WB_TRY(auto expression, Expression::parse(text, {"k.cu", 3, 10}));
  return expression.evaluate(someOperands());
}

struct Good {
  const char* text;
  Number value;
};
class GoodExpression : public testing::TestWithParam<Good> {};
TEST_P(GoodExpression, HasItsValue) {
  auto value = evaluated(GetParam().text);
  ASSERT_TRUE(value) << GetParam().text << ": " << value.error().text;
  EXPECT_EQ(*value, GetParam().value) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Expressions, GoodExpression,
    testing::Values(
        Good{"42", std::int64_t{42}}, Good{" 1 + 2 * 3 ", std::int64_t{7}},
        Good{"(1 + 2) * 3", std::int64_t{9}}, Good{"7 / 2", std::int64_t{3}}, Good{"7 % 4", std::int64_t{3}},
        Good{"10 - 2 - 3", std::int64_t{5}}, Good{"-n", std::int64_t{-10}}, Good{"--3", std::int64_t{3}},
        Good{"1.5", 1.5}, Good{"2e3", 2000.0}, Good{"1.5e-1", 0.15}, Good{"7 / 2.0", 3.5},
        Good{"alpha * 2", 5.0}, Good{"true", std::int64_t{1}}, Good{"keepdim + 1", std::int64_t{2}},
        Good{"numel(self)", std::int64_t{30}}, Good{"numel(scalar)", std::int64_t{1}},
        Good{"size(self, 0)", std::int64_t{2}}, Good{"size(self, -1)", std::int64_t{5}},
        Good{"stride(self, 1)", std::int64_t{5}}, Good{"inner(self, 0)", std::int64_t{15}},
        Good{"inner(self, -1)", std::int64_t{1}}, Good{"outer(self, 2)", std::int64_t{6}},
        Good{"dim(self)", std::int64_t{3}}, Good{"itemsize(flat)", std::int64_t{2}},
        Good{"dims[0]", std::int64_t{1}}, Good{"dims[-2]", std::int64_t{1}},
        Good{"size(self, dims[1])", std::int64_t{5}}, Good{"len(dims)", std::int64_t{2}},
        Good{"factors[0]", 0.5}, Good{"min(3, n, 7)", std::int64_t{3}}, Good{"max(3, alpha)", 3.0},
        Good{"ceil_div(numel(flat), 4)", std::int64_t{2}}, Good{"ceil_div(0, 256)", std::int64_t{0}},
        Good{"ceil_div(big, 2)", std::int64_t{1} << 62}, Good{"value_or(weight, 3)", std::int64_t{3}},
        Good{"value_or(n, 3)", std::int64_t{10}}, Good{"is(weight, None)", std::int64_t{1}},
        Good{"is(self, None)", std::int64_t{0}}, Good{"is(approximate, tanh)", std::int64_t{1}},
        Good{"is(approximate, none)", std::int64_t{0}},
        Good{"min(ceil_div(numel(self), 256), 1024)", std::int64_t{1}}));

struct Bad {
  const char* text;
  int column;
  const char* what;
};
class BadExpression : public testing::TestWithParam<Bad> {};
TEST_P(BadExpression, SaysWhatAndWhere) {
  auto value = evaluated(GetParam().text);
  ASSERT_FALSE(value) << GetParam().text;
  EXPECT_THAT(value.error().text, HasSubstr(GetParam().what));
  EXPECT_EQ(value.error().place, (Place{"k.cu", 3, GetParam().column})) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Expressions, BadExpression,
    testing::Values(Bad{"", 10, "empty"}, Bad{"1 +", 13, "too early"}, Bad{"1 2", 12, "Unexpected '2'"},
                    Bad{"(1", 12, "parenthesis"}, Bad{"1 $", 12, "Unexpected '$'"},
                    Bad{"3x", 10, "not a number"}, Bad{"99999999999999999999", 10, "too large"},
                    Bad{"x + 1", 10, "Unknown name x"}, Bad{"1 + selff", 14, "Unknown name selff"},
                    Bad{"numell(self)", 10, "no function numell"}, Bad{"size(self)", 10, "size takes 2"},
                    Bad{"numel(1 + 2)", 18, "name of a tensor"},
                    Bad{"numel(n)", 16, "n is an integer, not a tensor"},
                    Bad{"self", 10, "self is a tensor, not a number"}, Bad{"weight", 10, "None"},
                    Bad{"size(self, 3)", 21, "out of range"}, Bad{"size(self, -4)", 21, "out of range"},
                    Bad{"dims[5]", 15, "out of range"}, Bad{"n[0]", 10, "not a list"},
                    Bad{"1 / 0", 12, "Division by zero"}, Bad{"1 % (n - 10)", 12, "Division by zero"},
                    Bad{"ceil_div(1, 0)", 10, "Division by zero"}, Bad{"ceil_div(0 - 1, 2)", 10, "negative"},
                    Bad{"big + 1", 14, "does not fit"}, Bad{"big * 2", 14, "does not fit"},
                    Bad{"numel(huge)", 10, "does not fit"}, Bad{"alpha % 2", 16, "integers"},
                    Bad{"approximate", 10, "a string"}, Bad{"tensors", 10, "list of tensors"},
                    Bad{"len(n)", 14, "not a list"}, Bad{"is(n, big)", 13, "not a string"}));

TEST(Expression, ARealNumberIsNoCount) {
  auto expression = Expression::parse("alpha", {"k.cu", 3, 10});
  ASSERT_TRUE(expression);
  auto count = expression->integer(someOperands());
  ASSERT_FALSE(count);
  EXPECT_THAT(count.error().text, HasSubstr("an integer is needed"));
}

TEST(Expression, DeepNestingIsRefused) {
  EXPECT_FALSE(Expression::parse(std::string(5000, '('), {}));
  EXPECT_FALSE(Expression::parse(std::string(5000, '-') + "1", {}));
  EXPECT_FALSE(Expression::parse(std::string(50000, '1'), {}));
}

TEST(Expression, KnowsItsNamesAndHowItUsesThem) {
  auto expression = Expression::parse("stride(self, dims[0]) + n * is(approximate, tanh)", {"k.cu", 1, 1});
  ASSERT_TRUE(expression);
  const auto names = expression->names();
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[0].name, "self");
  EXPECT_EQ(names[0].as, NameUse::As::tensor);
  EXPECT_TRUE(names[0].strides);
  EXPECT_EQ(names[1].as, NameUse::As::list);
  EXPECT_EQ(names[2].as, NameUse::As::value);
  EXPECT_EQ(names[3].name, "approximate");
  EXPECT_EQ(names[3].as, NameUse::As::any);
  EXPECT_EQ(expression->plainName(), "");
  EXPECT_EQ(Expression::parse(" out ", {})->plainName(), "out");
}

}  // namespace
}  // namespace wb
