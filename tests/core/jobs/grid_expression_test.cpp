// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/evaluation/grid_expression.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::HasSubstr;

const std::map<std::string, std::int64_t> names{
    {"n", 1000}, {"BLOCK", 256}, {"a.shape[0]", 7}, {"a.numel", 84}};

TEST(GridNumber, IsWhatPythonMakesOfIt) {
  const std::map<std::string, std::int64_t> wanted{
      {"4", 4},
      {"n", 1000},
      {"n / 4", 250},
      {"(n + BLOCK - 1) // BLOCK", 4},
      {"cdiv(n, BLOCK)", 4},
      {"cdiv(1024, BLOCK)", 4},
      {" 2+3 * 4 ", 14},
      {"(2+3)*4", 20},
      {"-7 // 2", -4},
      {"-7 % 4", 1},
      {"7 % -4", -1},
      {"--3", 3},
      {"10 - 3 - 2", 5},
      {"a.shape[0] * 2", 14},
      {"max(a.numel // 12, min(3, n))", 7},
      {"cdiv(-7, 2)", -3},
  };
  for (const auto& [text, value] : wanted) {
    const auto number = gridNumber(text, names);
    ASSERT_TRUE(number) << text << ": " << number.error().text;
    EXPECT_EQ(*number, value) << text;
  }
}

TEST(GridNumber, SaysWhatIsWrong) {
  const std::map<std::string, std::string> wanted{
      {"", "it ends too early"},
      {"n +", "it ends too early"},
      {"n / 3", "1000 / 3 leaves a rest: write 1000 // 3 or cdiv(1000, 3)"},
      {"n // 0", "it divides by zero"},
      {"n % (BLOCK - 256)", "it divides by zero"},
      {"m * 2", "there is no 'm'; there is BLOCK, a.numel, a.shape[0], n"},
      {"a.shape[1]", "there is no 'a.shape[1]'"},
      {"(n", "a bracket is not closed"},
      {"n)", "\")\" does not belong there"},
      {"n 2", "\"2\" does not belong there"},
      {"sqrt(n, 2)", "there is no sqrt(); there is cdiv, max, min"},
      {"cdiv(n)", "cdiv() needs two numbers"},
      {"__import__('os')", "\"'os')\" is neither a number nor a name"},
      {"99999999999999999999", "it is larger than any grid"},
      {"999999999999999999 * 999999999999999999", "it is larger than any grid"},
      {std::string(1000, '('), "it has too many brackets"},
      {std::string(1000, '-') + "1", "it has too many brackets"},
  };
  for (const auto& [text, why] : wanted) {
    const auto number = gridNumber(text, names);
    ASSERT_FALSE(number) << text;
    EXPECT_THAT(number.error().text, HasSubstr(why)) << text;
  }
  EXPECT_THAT(gridNumber("m", {}).error().text, HasSubstr("no argument 'm' that is a whole number"));
}

}  // namespace
}  // namespace wb
