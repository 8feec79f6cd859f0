// SPDX-License-Identifier: Apache-2.0
#include "core/suites/literals/literal_parser.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace wb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Literal::Kind;

struct Spelling {
  std::string given;
  std::string canonical;
};
class PrintTest : public ::testing::TestWithParam<Spelling> {};
TEST_P(PrintTest, IsCanonicalAndStable) {
  const auto literal = parseLiteral(GetParam().given);
  ASSERT_TRUE(literal) << GetParam().given << ": " << describe(literal.error());
  EXPECT_EQ(print(*literal), GetParam().canonical);
  const auto again = parseLiteral(print(*literal));
  ASSERT_TRUE(again) << print(*literal);
  EXPECT_EQ(print(*again), GetParam().canonical);
}

INSTANTIATE_TEST_SUITE_P(
    Scalars, PrintTest,
    ::testing::Values(Spelling{"None", "None"}, Spelling{"True", "True"}, Spelling{" False\t", "False"},
                      Spelling{"0", "0"}, Spelling{"-0", "0"}, Spelling{"00", "0"}, Spelling{"+7", "7"},
                      Spelling{"- 7", "-7"}, Spelling{"9223372036854775807", "9223372036854775807"},
                      Spelling{"-9223372036854775808", "-9223372036854775808"}, Spelling{"1.", "1.0"},
                      Spelling{".5", "0.5"}, Spelling{"-0.0", "-0.0"}, Spelling{"1e-5", "1e-05"},
                      Spelling{"1E+16", "1e+16"}, Spelling{"1e15", "1000000000000000.0"},
                      Spelling{"0.0001", "0.0001"},
                      Spelling{"3.4028234663852886e+38", "3.4028234663852886e+38"}, Spelling{"inf", "inf"},
                      Spelling{"-inf", "-inf"}, Spelling{"nan", "nan"}, Spelling{"1e999", "inf"},
                      Spelling{"-1e999", "-inf"}, Spelling{"1e-999", "0.0"}, Spelling{"0e999", "0.0"},
                      Spelling{"1j", "1j"}, Spelling{"(1+2j)", "(1+2j)"},
                      Spelling{"1.5 - 2.5J", "(1.5-2.5j)"}, Spelling{"(-0-1j)", "-1j"},
                      Spelling{"(-0.0-1j)", "(-0.0-1j)"}, Spelling{"inf-2e999j", "(inf-1e999j)"}));
INSTANTIATE_TEST_SUITE_P(Strings, PrintTest,
                         ::testing::Values(Spelling{"'cpu'", "'cpu'"}, Spelling{"\"cpu\"", "'cpu'"},
                                           Spelling{"''", "''"}, Spelling{"\"it's\"", "\"it's\""},
                                           Spelling{"'a\\'b\"c'", "'a\\'b\"c'"},
                                           Spelling{"'\\n\\t\\\\'", "'\\n\\t\\\\'"},
                                           Spelling{"'\\x41\\u00e9\\101'", "'AéA'"},
                                           Spelling{"'\\U0001F600'", "'😀'"}, Spelling{"'\\q'", "'\\\\q'"},
                                           Spelling{"'×'", "'×'"}, Spelling{"'\\x00'", "'\\x00'"}));
INSTANTIATE_TEST_SUITE_P(Containers, PrintTest,
                         ::testing::Values(Spelling{"[]", "[]"}, Spelling{"[ 1,2 , 3, ]", "[1, 2, 3]"},
                                           Spelling{"()", "()"}, Spelling{"(5)", "5"}, Spelling{"((5))", "5"},
                                           Spelling{"(5,)", "(5,)"}, Spelling{"((),)", "((),)"},
                                           Spelling{"(1,2)", "(1, 2)"},
                                           Spelling{"[[1], [[], (2,)]]", "[[1], [[], (2,)]]"},
                                           Spelling{"{}", "{}"},
                                           Spelling{"{'a':1,'b':[2]}", "{'a': 1, 'b': [2]}"},
                                           Spelling{"{ 'a' : 1 , }", "{'a': 1}"}));
INSTANTIATE_TEST_SUITE_P(
    TensorsAndSymbols, PrintTest,
    ::testing::Values(Spelling{"f32", "f32"}, Spelling{"'f16'", "f16"},
                      Spelling{"torch.float64", "torch.float64"}, Spelling{"th.sparse_coo", "th.sparse_coo"},
                      Spelling{"T([5,5],f32)", "T([5, 5], f32)"}, Spelling{"T([], i64)", "T([], i64)"},
                      Spelling{"T([2, 3], 'bf16')", "T([2, 3], bf16)"},
                      Spelling{"T([2, 3], f32, stride=(1, 2))", "T([2, 3], f32, [1, 2])"},
                      Spelling{"T([2, 3], f32, stride = [1,2])", "T([2, 3], f32, [1, 2])"},
                      Spelling{"T([2], f32, stride=(1,))", "T([2], f32, [1])"},
                      Spelling{"T([2, 3], f32, None, 'cpu')", "T([2, 3], f32, None, 'cpu')"},
                      Spelling{"T([2, 3], f32, device='cuda')", "T([2, 3], f32, device='cuda')"},
                      Spelling{"\"torch.device('cpu')\"", "torch.device('cpu')"},
                      Spelling{"torch.device('cuda', 0)", "torch.device('cuda', 0)"},
                      Spelling{"device(type='cpu')", "device(type='cpu')"},
                      Spelling{"torch.Size([2, 3])", "torch.Size([2, 3])"}));
INSTANTIATE_TEST_SUITE_P(
    WholeCalls, PrintTest,
    ::testing::Values(
        Spelling{"((T([5, 5], f32),), {})", "((T([5, 5], f32),), {})"},
        Spelling{"((T([5, 5], f32), 2), {})", "((T([5, 5], f32), 2,), {})"}, Spelling{"((), {})", "((), {})"},
        Spelling{"\"((T([5], f32),), {})\"", "((T([5], f32),), {})"},
        Spelling{" '((T([5], f32),), {})' ", "((T([5], f32),), {})"},
        Spelling{"(([T([2], f32), T([3], f32)],), {})", "(([T([2], f32), T([3], f32)],), {})"},
        Spelling{"((T([1], f16),), {'dtype':f16,'layout':torch.strided,'device':\"torch.device('cpu')\","
                 "'pin_memory':False})",
                 "((T([1], f16),), {'dtype': f16, 'layout': torch.strided, 'device': torch.device('cpu'), "
                 "'pin_memory': False})"},
        Spelling{"((T([512, 3072], f16), [0], True,), {'dtype': 'f32'})",
                 "((T([512, 3072], f16), [0], True,), {'dtype': f32})"},
        Spelling{"([], {'x': T([2, 3, 32, 32], f32)})", "([], {'x': T([2, 3, 32, 32], f32)})"}));

struct Broken {
  std::string text;
  int column;
  std::string what;
};
class BrokenLiteralTest : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenLiteralTest, SaysWhereAndWhat) {
  const auto literal = parseLiteral(GetParam().text);
  ASSERT_FALSE(literal) << print(*literal);
  EXPECT_EQ(literal.error().place.column, GetParam().column) << literal.error().text;
  EXPECT_EQ(literal.error().place.line, 0);
  EXPECT_THAT(literal.error().text, HasSubstr(GetParam().what));
}
INSTANTIATE_TEST_SUITE_P(
    , BrokenLiteralTest,
    ::testing::Values(
        Broken{"", 1, "a value is missing"}, Broken{"   ", 4, "a value is missing"},
        Broken{"(1, 2", 6, "expected ',' or ')', not end of text"},
        Broken{"[1 2]", 4, "expected ',' or ']', not '2'"}, Broken{"[1,, 2]", 4, "expected a value, not ','"},
        Broken{"[,]", 2, "expected a value, not ','"}, Broken{"(,)", 2, "expected a value"},
        Broken{"1 2", 3, "unexpected '2' after the value"}, Broken{"{'a'}", 5, "expected ':'"},
        Broken{"{'a': }", 7, "expected a value, not '}'"}, Broken{"'abc", 1, "closing quote"},
        Broken{"'a\nb'", 1, "closing quote"}, Broken{"['\\x4']", 3, "broken escape"},
        Broken{"'\\ud800'", 2, "broken escape"}, Broken{"9223372036854775808", 1, "beyond 64 bits"},
        Broken{"[-9223372036854775809]", 2, "beyond 64 bits"}, Broken{"007", 1, "does not start with 0"},
        Broken{"1_000", 2, "unexpected '_'"}, Broken{"0x10", 2, "unexpected 'x'"},
        Broken{"1.2.3", 4, "unexpected '.'"}, Broken{"1e", 3, "needs digits"},
        Broken{"-", 1, "expected a value"}, Broken{".", 1, "expected a value"},
        Broken{"--1", 1, "expected a value"}, Broken{"-True", 2, "a sign"},
        Broken{"1 + 2", 3, "nothing is computed"}, Broken{"2**3", 2, "unexpected '*'"},
        Broken{"T([5], i99)", 8, "unknown name \"i99\""}, Broken{"foo", 1, "unknown name \"foo\""},
        Broken{"__import__('os').system('ls')", 1, "unknown function \"__import__\""},
        Broken{"[torch.load('x')]", 2, "unknown function \"torch.load\""},
        Broken{"lambda: 1", 1, "unknown name"},
        Broken{"T([5], f32, stride=[1], 3)", 25, "positional argument after a keyword"},
        Broken{"T([5], f32, stride=[1], stride=[1])", 25, "given twice"},
        Broken{"T([5] f32)", 7, "expected ','"}, Broken{"\x01", 1, "byte 0x01"}, Broken{"é", 1, "byte 0xc3"},
        Broken{std::string("\0", 1), 1, "byte 0x00"}));

TEST(ParseLiteralTest, KindsAndOffsetsAreThoseOfTheText) {
  const auto literal = parseLiteral("((T([5], f32), 2.5), {'k': True})");
  ASSERT_TRUE(literal);
  const Literal& positional = literal->items[0];
  EXPECT_EQ(literal->kind, Kind::tuple);
  EXPECT_EQ(positional.offset, 1U);
  EXPECT_EQ(positional.items[0].kind, Kind::call);
  EXPECT_EQ(positional.items[0].offset, 2U);
  EXPECT_EQ(positional.items[0].items[1].offset, 9U);
  EXPECT_EQ(positional.items[1].kind, Kind::real);
  EXPECT_EQ(positional.items[1].real, 2.5);
  EXPECT_EQ(literal->items[1].kind, Kind::dict);
  EXPECT_EQ(literal->items[1].items[0].text, "k");
  EXPECT_TRUE(literal->items[1].items[1].boolean);
}

TEST(ParseLiteralTest, ComplexHoldsBothParts) {
  const auto literal = parseLiteral("(1.5-2j)");
  EXPECT_EQ(literal->kind, Kind::complex);
  EXPECT_EQ(literal->real, 1.5);
  EXPECT_EQ(literal->imaginary, -2);
}

TEST(ParseLiteralTest, AKeyThatLooksLikeADtypeStaysAString) {
  EXPECT_EQ(parseLiteral("{'f16': 'f16'}")->items[0].kind, Kind::string);
  EXPECT_EQ(parseLiteral("{'f16': 'f16'}")->items[1].kind, Kind::symbol);
}

TEST(ParseLiteralTest, NestingIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parseLiteral(nested(64)));
  EXPECT_TRUE(parseLiteral(nested(65)));
  EXPECT_THAT(parseLiteral(nested(66)).error().text, HasSubstr("nested deeper than 64"));
  EXPECT_EQ(parseLiteral(nested(66)).error().place.column, 66);
  // Every way to nest, far deeper than any stack.
  for (const char* piece : {"(", "[", "{'a':", "-T(", "T(stride=", "1+T(", "{[", "torch.device("}) {
    std::string deep;
    for (int i = 0; i < 200000; ++i) deep += piece;
    EXPECT_FALSE(parseLiteral(deep)) << piece;
  }
  std::string quoted = "'cpu'";
  for (int i = 0; i < 8; ++i) {
    std::string inner;
    for (char c : quoted) inner += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    quoted = "'torch.device(" + inner + ")'";
  }
  EXPECT_TRUE(parseLiteral(quoted));
}

Result<TensorLiteral> tensor(std::string_view text) {
  return tensorLiteral(*parseLiteral(text));
}

TEST(TensorLiteralTest, ReadsEveryForm) {
  const auto plain = tensor("T([2, 3], f32)");
  ASSERT_TRUE(plain);
  EXPECT_THAT(plain->shape, ElementsAre(2, 3));
  EXPECT_EQ(plain->dtype, "f32");
  EXPECT_FALSE(plain->strided);
  for (const char* text :
       {"T([2, 3], f32, [1, 2])", "T([2, 3], f32, (1, 2))", "T([2, 3], f32, stride=(1, 2))",
        "T((2, 3), dtype=f32, stride=[1, 2], device='cuda')", "T([2, 3], f32, [1, 2], 'cpu')"}) {
    const auto strided = tensor(text);
    ASSERT_TRUE(strided) << text;
    EXPECT_TRUE(strided->strided) << text;
    EXPECT_THAT(strided->stride, ElementsAre(1, 2)) << text;
  }
  EXPECT_FALSE(tensor("T([2, 3], f32, None, 'cpu')")->strided);
  EXPECT_EQ(tensor("T([2], torch.float16)")->dtype, "torch.float16");
  EXPECT_TRUE(tensor("T([], i64)")->shape.empty());
  EXPECT_TRUE(tensor("T([4], f32, [0])")->strided);
}

struct BrokenTensor {
  const char* text;
  int column;
  const char* what;
};
class BrokenTensorTest : public ::testing::TestWithParam<BrokenTensor> {};
TEST_P(BrokenTensorTest, SaysWhereAndWhat) {
  const auto result = tensor(GetParam().text);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().place.column, GetParam().column) << result.error().text;
  EXPECT_THAT(result.error().text, HasSubstr(GetParam().what));
}
INSTANTIATE_TEST_SUITE_P(
    , BrokenTensorTest,
    ::testing::Values(
        BrokenTensor{"5", 1, "expected a tensor"}, BrokenTensor{"device('cpu')", 1, "expected a tensor"},
        BrokenTensor{"T()", 1, "needs a shape"}, BrokenTensor{"T([5])", 1, "needs a shape and a dtype"},
        BrokenTensor{"T(5, f32)", 3, "list of integers"},
        BrokenTensor{"T([2.5], f32)", 4, "list of integers"},
        BrokenTensor{"T([True], f32)", 4, "list of integers"},
        BrokenTensor{"T([2, -3], f32)", 7, "negative shape"},
        BrokenTensor{"T([5], torch.strided)", 8, "no dtype"}, BrokenTensor{"T([5], 3)", 8, "no dtype"},
        BrokenTensor{"T([5, 2], f32, [1])", 16, "1 strides for 2 dimensions"},
        BrokenTensor{"T([5], f32, [-1])", 14, "negative stride"},
        BrokenTensor{"T([5], f32, [1], 'cpu', 7)", 25, "takes shape, dtype, stride and device"},
        BrokenTensor{"T([5], f32, [1], stride=[1])", 25, "given twice"},
        BrokenTensor{"T([5], f32, layout=None)", 20, "no argument of a tensor"}));

std::int64_t bytes(std::string_view text) {
  return tensorBytes(*parseLiteral(text));
}

TEST(TensorBytesTest, CountsExtentsOfAllTensors) {
  EXPECT_EQ(bytes("((T([5, 5], f32),), {})"), 100);
  EXPECT_EQ(bytes("((T([5, 5], f32), [T([3], f64), (T([2], b8),)],), {'w': T([4], bf16)})"),
            100 + 24 + 2 + 8);
  EXPECT_EQ(bytes("((T([], f64), 3,), {})"), 8);
  EXPECT_EQ(bytes("((T([5, 0, 3], f64),), {})"), 0);
  EXPECT_EQ(bytes("T([64, 32], f32, [1, 64])"), 64 * 32 * 4);
  EXPECT_EQ(bytes("T([31, 16], f32, [40, 2])"), (1 + 30 * 40 + 15 * 2) * 4);
  EXPECT_EQ(bytes("T([16, 24], f32, [0, 1])"), 24 * 4);
  EXPECT_EQ(bytes("T([0, 24], f32, [24, 1])"), 0);
  EXPECT_EQ(bytes("((), {})"), 0);
}

TEST(TensorBytesTest, Saturates) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(bytes("T([9223372036854775807, 9223372036854775807], f64)"), largest);
  EXPECT_EQ(bytes("T([2, 9223372036854775807], f64, [9223372036854775807, 9223372036854775807])"), largest);
  EXPECT_EQ(bytes("(T([4611686018427387904], u8), T([4611686018427387904], u8), T([1], u8))"), largest);
}

}  // namespace
}  // namespace wb
