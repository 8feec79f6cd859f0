// SPDX-License-Identifier: Apache-2.0
#include "core/suites/trace_file.h"

#include <gmock/gmock.h>

#include <random>

#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view sample =
    "# a comment\n"
    "Operator: aten.relu.default\n"
    "cnt: 12, ((T([128, 1024], f16),), {})\n"
    "anything else is ignored\n"
    "\n"
    "Operator: aten.sum.SymInt\r\n"
    "cnt: 0, ((T([64, 32], f32, stride=(1, 64)), [0], True), {})\r\n"
    " cnt: 5, (broken, but not at the line's start\n"
    "Operator: aten.add.Tensor\n"
    "cnt: 3, ((T([128, 1024], bf16), T([1024], bf16)), {'alpha': 2})";

TEST(ParseTraceTest, ReadsOperatorsAndCases) {
  const auto cases = parseTrace(sample, "bert.txt");
  ASSERT_TRUE(cases) << describe(cases.error());
  ASSERT_EQ(cases->size(), 3U);
  const Case& relu = (*cases)[0];
  EXPECT_EQ(relu.op, "aten::relu");
  EXPECT_EQ(relu.args, "((T([128, 1024], f16),), {})");
  EXPECT_EQ(relu.count, 12);
  EXPECT_EQ(relu.shapes, "128×1024");
  EXPECT_EQ(relu.dtype, "f16");
  EXPECT_EQ(relu.origin, (Place{"bert.txt", 3, 0}));
  const Case& sum = (*cases)[1];
  EXPECT_EQ(sum.op, "aten::sum.dim_IntList");  // BackendBench renames aten.sum.SymInt
  EXPECT_EQ(sum.args, "((T([64, 32], f32, stride=(1, 64)), [0], True), {})");  // no carriage return
  EXPECT_EQ(sum.count, 0);
  EXPECT_EQ(sum.shapes, "64×32 (strided)");
  const Case& add = (*cases)[2];
  EXPECT_EQ(add.op, "aten::add.Tensor");
  EXPECT_EQ(add.shapes, "128×1024, 1024");
  EXPECT_EQ(add.origin.line, 10);
}

TEST(ParseTraceTest, LineEndsAndByteOrderMarkDoNotMatter) {
  std::string windows = "\xEF\xBB\xBF";
  for (char c : std::string("Operator: aten.relu.default\ncnt: 1, ((T([2], f32),), {})\n")) {
    if (c == '\n') windows += '\r';
    windows += c;
  }
  const auto cases = parseTrace(windows, "x");
  ASSERT_TRUE(cases);
  ASSERT_EQ(cases->size(), 1U);
  EXPECT_EQ(cases->front().op, "aten::relu");
  EXPECT_TRUE(parseTrace("", "x")->empty());
}

TEST(ParseTraceTest, SeedsFollowOperatorAndTextNotThePlace) {
  const auto seedOf = [](std::string_view before, std::string_view op, std::string_view args) {
    return parseTrace(std::string(before) + "Operator: " + std::string(op) + "\ncnt: 1, " + std::string(args),
                      "x")
        ->back()
        .seed;
  };
  const auto seed = seedOf("", "aten.relu.default", "((T([2], f32),), {})");
  EXPECT_EQ(seedOf("#\n\n\n", "relu", "((T([2], f32),), {})"), seed);
  EXPECT_NE(seedOf("", "aten.relu.default", "((T([3], f32),), {})"), seed);
  EXPECT_NE(seedOf("", "aten.tanh.default", "((T([2], f32),), {})"), seed);
  EXPECT_LT(seed, std::uint64_t{1} << 53);  // exact in any reader of JSON
  EXPECT_NE(seed, 0U);
}

struct Broken {
  const char* text;
  int line, column;
  const char* what;
};
class BrokenTraceTest : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenTraceTest, NamesFileLineAndColumn) {
  const auto cases = parseTrace(GetParam().text, "broken.txt");
  ASSERT_FALSE(cases);
  EXPECT_EQ(cases.error().place, (Place{"broken.txt", GetParam().line, GetParam().column}))
      << cases.error().text;
  EXPECT_THAT(cases.error().text, HasSubstr(GetParam().what));
}
INSTANTIATE_TEST_SUITE_P(
    , BrokenTraceTest,
    ::testing::Values(
        Broken{"cnt: 1, ((), {})", 1, 1, "before any"}, Broken{"Operator: \n", 1, 11, "operator's name"},
        Broken{"Operator: two words\n", 1, 11, "operator's name"},
        Broken{"Operator: relu\ncnt: x, ((), {})", 2, 6, "a count"},
        Broken{"Operator: relu\ncnt: -1, ((), {})", 2, 6, "a count"},
        Broken{"Operator: relu\ncnt: 99999999999999999999, ((), {})", 2, 6, "beyond 64 bits"},
        Broken{"Operator: relu\ncnt: 1 ((), {})", 2, 7, "after the count"},
        Broken{"Operator: relu\ncnt: 1", 2, 7, "after the count"},
        Broken{"Operator: relu\ncnt: 1, ", 2, 9, "a value is missing"},
        Broken{"Operator: relu\r\n\r\ncnt: 1, ((T([5], f33),), {})", 3, 18, "unknown name \"f33\""},
        Broken{"Operator: relu\ncnt: 12, ((T([5], f32),), {}", 2, 29, "expected ',' or ')'"},
        Broken{"Operator: relu\ncnt: 1, ((T([5, 3], f32, stride=(1,)),), {})", 2, 33, "1 strides for 2"},
        Broken{"Operator: relu\ncnt: 1, ((T([-5], f32),), {})", 2, 14, "negative"},
        Broken{"Operator: relu\ncnt: 1, ((T([5], f32)), {})", 2, 11, "a tuple of one needs a comma"},
        Broken{"Operator: relu\ncnt: 1, T([5], f32)", 2, 9, "a pair"},
        Broken{"Operator: relu\ncnt: 1, ((), [])", 2, 14, "no dict"},
        Broken{"Operator: relu\ncnt: 1, ((), {1: 2})", 2, 15, "no string"}));

Case described(std::string_view args) {
  Case definition;
  describeArguments(definition, *parseLiteral(args));
  return definition;
}

TEST(DescribeArgumentsTest, ShapesForEyes) {
  EXPECT_EQ(described("((T([128, 1024], f32), T([1024], f16)), {})").shapes, "128×1024, 1024");
  EXPECT_EQ(described("((T([], f32), 3,), {})").shapes, "scalar");
  EXPECT_EQ(described("(([T([2, 3], f32), T([0, 3], f32)], 0), {'w': T([7], f32)})").shapes, "2×3, 0×3, 7");
  EXPECT_EQ(described("((3, [4]), {})").shapes, "–");
  EXPECT_EQ(described("((3, [4]), {})").dtype, "");
  EXPECT_EQ(described("((T([2], torch.float16), T([2], f32)), {})").dtype, "f16");
  std::string many = "((";
  for (int i = 0; i < 100; ++i) many += "T([2], f32), ";
  EXPECT_EQ(described(many + "), {})").shapes, "2, 2, 2, 2, 2, 2, … (100 tensors)");
}

TEST(DescribeArgumentsTest, OnlyLayoutsThatDifferAreMarked) {
  EXPECT_EQ(described("((T([64, 32], f32, [32, 1]),), {})").shapes, "64×32");
  EXPECT_EQ(described("((T([64, 1, 32], f32, [32, 7, 1]),), {})").shapes,
            "64×1×32");  // stride of a size of one
  EXPECT_EQ(described("((T([0, 32], f32, [1, 9]),), {})").shapes, "0×32");
  EXPECT_EQ(described("((T([64, 32], f32, [1, 64]),), {})").shapes, "64×32 (strided)");
  EXPECT_EQ(described("((T([64, 32], f32, [0, 1]),), {})").shapes, "64×32 (strided)");
  EXPECT_EQ(described("((T([4], f32, [2]),), {})").shapes, "4 (strided)");
}

/// Whatever comes in: a value that prints and reads again, or an error with a column within the text.
void expectSane(const std::string& text) {
  const auto literal = parseLiteral(text);
  if (!literal) {
    ASSERT_GE(literal.error().place.column, 1) << text;
    ASSERT_LE(literal.error().place.column, static_cast<int>(text.size()) + 1) << text;
    ASSERT_FALSE(literal.error().text.empty());
    return;
  }
  (void)tensorBytes(*literal);
  const std::string printed = print(*literal);
  const auto again = parseLiteral(printed);
  ASSERT_TRUE(again) << text << " printed as " << printed << ": " << describe(again.error());
  ASSERT_EQ(print(*again), printed);
}

TEST(FuzzTest, RandomBytesNeverCrash) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = static_cast<char>(random());
    ASSERT_NO_FATAL_FAILURE(expectSane(text));
  }
}

TEST(FuzzTest, RandomPiecesOfTheGrammarNeverCrash) {
  std::mt19937 random(2);
  constexpr std::string_view pieces[] = {"(",
                                         ")",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         ",",
                                         ":",
                                         "=",
                                         "T(",
                                         "T([2], f32)",
                                         "f16",
                                         "'f16'",
                                         "'",
                                         "\"",
                                         "\\",
                                         "-",
                                         "+",
                                         "1",
                                         "2.5",
                                         "1j",
                                         "inf",
                                         "nan",
                                         "None",
                                         "True",
                                         " ",
                                         "torch.",
                                         "device(",
                                         "stride=",
                                         "e9",
                                         "torch.device('cpu')",
                                         "\"torch.device("};
  int parsed = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (auto n = random() % 9; n-- > 0;) text += pieces[random() % std::size(pieces)];
    ASSERT_NO_FATAL_FAILURE(expectSane(text));
    parsed += parseLiteral(text).has_value();
  }
  EXPECT_GT(parsed, 500);
}

TEST(FuzzTest, MutatedLinesGiveCasesOrAnErrorWithItsPlace) {
  std::mt19937 random(3);
  int good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text(sample);
    for (auto edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const std::string bytes(random() % 3,
                              static_cast<char>(random() % 4 == 0 ? random() : 32 + random() % 95));
      text.replace(at, random() % 3, bytes);
    }
    const auto cases = parseTrace(text, "x");
    good += cases.has_value();
    if (cases) continue;
    ASSERT_GE(cases.error().place.line, 1) << text;
    ASSERT_GE(cases.error().place.column, 1) << text;
  }
  EXPECT_GT(good, 1000);
  EXPECT_LT(good, 19000);
}

}  // namespace
}  // namespace wb
