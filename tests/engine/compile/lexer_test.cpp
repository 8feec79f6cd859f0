// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/lexer.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/engine/compile/text/brackets.h"
#include "core/engine/compile/text/line_index.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Lexeme::Kind;

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> out;
  for (const auto& lexeme : lexCuda(source)) out.emplace_back(lexeme.text);
  return out;
}
/// One letter a lexeme: word, literal, punctuation, directive.
std::string kinds(std::string_view source) {
  std::string out;
  for (const auto& lexeme : lexCuda(source)) out += "wlpd"[static_cast<std::size_t>(lexeme.kind)];
  return out;
}
Directive directive(const std::vector<Lexeme>& lexemes) {
  return readDirective(lexemes.at(0));
}

TEST(Lexer, WordsNumbersAndPunctuation) {
  EXPECT_THAT(texts("a::b->c<<<1,2>>>(x);"), ElementsAre("a", "::", "b", "->", "c", "<", "<", "<", "1", ",",
                                                         "2", ">", ">", ">", "(", "x", ")", ";"));
  EXPECT_EQ(kinds("a::b 1 'c'"), "wpwll");
  EXPECT_THAT(texts("k<::T>"), ElementsAre("k", "<", "::", "T", ">"));  // no digraph <:
}

TEST(Lexer, WordsMayHaveDollarsAndLettersOfAllLanguages) {
  EXPECT_THAT(texts("$a b$c größe_1 核 _x"), ElementsAre("$a", "b$c", "größe_1", "核", "_x"));
  EXPECT_EQ(kinds("$a b$c größe_1 核 _x"), "wwwww");
}

TEST(Lexer, NumbersHaveSeparatorsExponentsAndSuffixes) {
  EXPECT_THAT(
      texts("1'000'000u 0x1.8p-3f 1e+5 .5f 3. 1.e-7 0b1'0 5_h 2+3"),
      ElementsAre("1'000'000u", "0x1.8p-3f", "1e+5", ".5f", "3.", "1.e-7", "0b1'0", "5_h", "2", "+", "3"));
  EXPECT_THAT(texts("x=1'000;char c='\\'';"),
              ElementsAre("x", "=", "1'000", ";", "char", "c", "=", "'\\''", ";"));
  EXPECT_THAT(texts("case 1:'a'"), ElementsAre("case", "1", ":", "'a'"));
}

TEST(Lexer, StringsAndCharactersWithPrefixesSuffixesAndEscapes) {
  EXPECT_THAT(texts(R"("a\"b" u8"c" L'\\' U'x' "d"s)"),
              ElementsAre(R"("a\"b")", "u8\"c\"", R"(L'\\')", "U'x'", "\"d\"s"));
  EXPECT_THAT(texts("\"one \\\n line\" x"), ElementsAre("\"one \\\n line\"", "x"));
  EXPECT_THAT(texts("\"a\\\\\" b"), ElementsAre("\"a\\\\\"", "b"));
  EXPECT_THAT(texts("f(\"// no\", '/', \"/*\") /* yes */ ;"),
              ElementsAre("f", "(", "\"// no\"", ",", "'/'", ",", "\"/*\"", ")", ";"));
}

TEST(Lexer, RawStringsEndWithTheirDelimiter) {
  EXPECT_THAT(texts("R\"(a \" )x\" \n \\)\" b"), ElementsAre("R\"(a \" )x\" \n \\)\"", "b"));
  EXPECT_THAT(texts("u8R\"cu(k<<<1>>>()\" )cu\" b"), ElementsAre("u8R\"cu(k<<<1>>>()\" )cu\"", "b"));
  EXPECT_THAT(texts("R\"(a)\"_s b"), ElementsAre("R\"(a)\"_s", "b"));
  // Not a prefix, and not a delimiter: an ordinary string.
  EXPECT_THAT(texts("FOR\"(\" )"), ElementsAre("FOR", "\"(\"", ")"));
  EXPECT_THAT(texts("R\"a b(\" )"), ElementsAre("R\"a b(\"", ")"));
}

TEST(Lexer, CommentsAreLeftOut) {
  EXPECT_THAT(texts("a // b \" ' \nc /* d \n \" */ e /**/ f /*/ g */ h"),
              ElementsAre("a", "c", "e", "f", "h"));
  EXPECT_THAT(texts("a // goes on \\\n b\nc"), ElementsAre("a", "c"));
  EXPECT_THAT(texts("a // goes on \\  \r\n b\nc"), ElementsAre("a", "c"));
  EXPECT_THAT(texts("a /\\\n/ b\nc /\\\n* d *\\\n/ e"), ElementsAre("a", "c", "e"));
  EXPECT_THAT(texts("a / b"), ElementsAre("a", "/", "b"));
}

TEST(Lexer, SplicesWithinTokensJoinThem) {
  const auto lexemes = lexCuda("ker\\\nnel<\\\r\n<< a:\\\n: -\\ \n> 1\\\n2");
  ASSERT_EQ(lexemes.size(), 8U);
  EXPECT_TRUE(lexemes[0].is("kernel"));
  EXPECT_EQ(lexemes[0].text, "ker\\\nnel");
  EXPECT_EQ(lexemes[0].spelling(), "kernel");
  EXPECT_TRUE(lexemes[0].spliced);
  EXPECT_FALSE(lexemes[1].spliced);
  EXPECT_TRUE(lexemes[2].touches);
  EXPECT_TRUE(lexemes[5].is("::"));
  EXPECT_TRUE(lexemes[6].is("->"));
  EXPECT_EQ(lexemes[7].spelling(), "12");
  EXPECT_THAT(texts("a \\\n b \\ c"), ElementsAre("a", "b", "\\", "c"));
}

TEST(Lexer, KnowsWhichLexemesTouch) {
  const auto lexemes = lexCuda("<<< < <\n</**/<");
  const auto touching = [&] {
    std::string out;
    for (const auto& lexeme : lexemes) out += lexeme.touches ? '1' : '0';
    return out;
  };
  EXPECT_EQ(touching(), "0110000");
}

TEST(Lexer, DirectivesAreOneLexemeALogicalLine) {
  EXPECT_THAT(texts("#define A \\\n  1\n# include <x> // why\nint y;\n  /* z */ #pragma once\n"),
              ElementsAre("#define A \\\n  1", "# include <x> ", "int", "y", ";", "#pragma once"));
  EXPECT_EQ(kinds("a # b\n#c\n"), "wpwd");
  EXPECT_THAT(texts("#define A /* goes\n on */ 2\nb"), ElementsAre("#define A /* goes\n on */ 2", "b"));
  EXPECT_THAT(texts("#define URL \"http://x /*\"\nb"), ElementsAre("#define URL \"http://x /*\"", "b"));
  EXPECT_THAT(texts("#include <odd//name.h>\n#include \"a/*b\"\nc"),
              ElementsAre("#include <odd//name.h>", "#include \"a/*b\"", "c"));
  EXPECT_THAT(texts("#error don't\nb"), ElementsAre("#error don't", "b"));
  EXPECT_THAT(texts("#define R R\"(\n#define X\n)\"\nb"), ElementsAre("#define R R\"(\n#define X\n)\"", "b"));
}

TEST(Lexer, ReadsWhatADirectiveSays) {
  const auto said = [](std::string_view text) {
    const auto lexemes = lexCuda(text);
    return std::string(directive(lexemes).name) + "|" + std::string(directive(lexemes).rest);
  };
  EXPECT_EQ(said("#include <torch/extension.h>"), "include|<torch/extension.h>");
  EXPECT_EQ(said("  #  /* x */ define \\\n N  4 \r\n"), "define|N  4");
  EXPECT_EQ(said("#include\"x.h\""), "include|\"x.h\"");
  EXPECT_EQ(said("#if!defined(A)"), "if|!defined(A)");
  EXPECT_EQ(said("#"), "|");
  EXPECT_EQ(said("#else"), "else|");
}

TEST(Lexer, LeavesOutWhatIsNeverCompiled) {
  EXPECT_THAT(texts("#if 0\na\n#endif\nb"), ElementsAre("#if 0", "#endif", "b"));
  EXPECT_THAT(texts("#if 0\na\n#else\nb\n#endif\nc"), ElementsAre("#if 0", "#else", "b", "#endif", "c"));
  EXPECT_THAT(texts("#if 1\na\n#else\nb\n#endif\nc"), ElementsAre("#if 1", "a", "#else", "#endif", "c"));
  EXPECT_THAT(texts("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif X\nc\n#elif 1\nd\n#else\ne\n#endif\n"),
              ElementsAre("#if 0", "#elif X", "c", "#elif 1", "d", "#else", "#endif"));
  EXPECT_THAT(texts("#if X\na\n#elif 0\nb\n#else\nc\n#endif\n"),
              ElementsAre("#if X", "a", "#elif 0", "#else", "c", "#endif"));
  for (const std::string condition : {"0", "( 0 )", "0 // off", "0 /* off */", "false", "/**/0", "\\\n0"})
    EXPECT_THAT(texts("#if " + condition + "\na\n#endif\n"), testing::SizeIs(2)) << condition;
  for (const std::string condition : {"0 + 1", "1 && A", "defined(A)", "A", "#if 0", ""})
    EXPECT_THAT(texts("#if " + condition + "\na\n#endif\n"), testing::SizeIs(3)) << condition;
  EXPECT_THAT(texts("#ifdef 0\na\n#endif\n"), testing::SizeIs(3));
}

TEST(Lexer, CommentsAndStringsHideDirectivesInWhatIsNotCompiled) {
  EXPECT_THAT(texts("#if 0\n/*\n#endif\n*/ a\nR\"(\n#endif\n)\"\nit's \"half\n#endif\nb"),
              ElementsAre("#if 0", "#endif", "b"));
  EXPECT_THAT(texts("#if 0\n#define X \\\n#endif\n#endif\nb"), ElementsAre("#if 0", "#endif", "b"));
}

TEST(Lexer, ConditionsThatDoNotMatchEndNothing) {
  EXPECT_THAT(texts("#endif\n#else\na\n#elif 0\nb"), ElementsAre("#endif", "#else", "a", "#elif 0", "b"));
  EXPECT_THAT(texts("#if 0\na"), ElementsAre("#if 0"));
}

TEST(Lexer, WhatDoesNotEndEndsWithItsLineOrWithTheText) {
  EXPECT_THAT(texts("\"a\nb"), ElementsAre("\"a", "b"));
  EXPECT_THAT(texts("'a\nb"), ElementsAre("'a", "b"));
  EXPECT_THAT(texts("\"a\\"), ElementsAre("\"a\\"));
  EXPECT_THAT(texts("a /* b"), ElementsAre("a"));
  EXPECT_THAT(texts("a /"), ElementsAre("a", "/"));
  EXPECT_THAT(texts("R\"(a\nb"), ElementsAre("R\"(a\nb"));
  EXPECT_THAT(texts("R\"x"), ElementsAre("R\"x"));
  EXPECT_THAT(texts("a\\"), ElementsAre("a", "\\"));
  EXPECT_THAT(texts("a\\\n"), ElementsAre("a"));
  EXPECT_THAT(texts("#"), ElementsAre("#"));
  EXPECT_THAT(texts("#define A \\"), ElementsAre("#define A \\"));
  EXPECT_THAT(texts("#include <a"), ElementsAre("#include <a"));
  EXPECT_THAT(texts(""), IsEmpty());
  EXPECT_THAT(texts("1e"), ElementsAre("1e"));
  EXPECT_THAT(texts("1'"), ElementsAre("1", "'"));
  EXPECT_THAT(texts(std::string_view("a\0b", 3)), ElementsAre("a", std::string(1, '\0'), "b"));
}

TEST(Lexer, EveryPrefixOfATextEnds) {
  const std::string text =
      "\xEF\xBB\xBF#if 0 /* x */\n'\n#else\nR\"d(\\\n)d\" u8'\\'' 1'0e+ a\\\n$b /\\\n* c *\\\n/ #x\n"
      "#define F(x) #x \\\n R\"(\n)\" // y \\\n z\n#endif\nk<<<1,\\\n2>>>(\"s\\\nt\"_u);\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    std::size_t at = 0;
    for (const auto& lexeme : lexCuda(std::string_view(text).substr(0, size))) {
      EXPECT_GE(lexeme.offset, at);
      EXPECT_FALSE(lexeme.text.empty());
      at = lexeme.end();
    }
    EXPECT_LE(at, size);
  }
}

TEST(Lexer, DeepConditionsAndLongLinesTakeNoStack) {
  std::string conditions, nested;
  for (int i = 0; i < 20000; ++i) conditions += "#if 0\n", nested += "#if ";
  EXPECT_THAT(texts(conditions), ElementsAre("#if 0"));
  EXPECT_EQ(lexCuda(nested).size(), 1U);
}

TEST(Lexer, CodeHasNoDirectives) {
  const auto lexemes = lexCode("#define A\nint /* x */ a;\n#if 0\nb\n#endif");
  ASSERT_EQ(lexemes.size(), 3U);
  EXPECT_EQ(lexemes[1].offset, 22U);
}

TEST(Lexer, OffsetsCountFromTheBase) {
  EXPECT_EQ(lexCuda("a b", 10)[1].offset, 12U);
  EXPECT_EQ(lexCuda("\xEF\xBB\xBF"
                    "a")[0]
                .offset,
            3U);
}

TEST(LineIndex, CountsLinesAndBytes) {
  const LineIndex lines("a\nbc\r\nd");
  EXPECT_EQ(lines.place(0, "f"), (Place{"f", 1, 1}));
  EXPECT_EQ(lines.place(3, "f"), (Place{"f", 2, 2}));
  EXPECT_EQ(lines.place(6, "f"), (Place{"f", 3, 1}));
  EXPECT_EQ(lines.place(99, "f").line, 3);
  EXPECT_EQ(LineIndex("\xEF\xBB\xBF"
                      "a")
                .place(3, "f"),
            (Place{"f", 1, 1}));
  EXPECT_EQ(LineIndex("\xEF\xBB\xBF"
                      "a")
                .place(0, "f"),
            (Place{"f", 1, 1}));
}

TEST(Brackets, AreMatchedBothWays) {
  const auto lexemes = lexCuda("f<a(b, {c[1]}), (d > e)>(x) }");
  EXPECT_EQ(closingBracket(lexemes, 3), 12U);
  EXPECT_EQ(closingAngle(lexemes, 1), 19U);
  EXPECT_EQ(openingOf(lexemes, 19), 1U);
  EXPECT_EQ(openingOf(lexemes, 12), 3U);
  EXPECT_EQ(openingOf(lexemes, lexemes.size()), lexemes.size());
  EXPECT_EQ(closingBracket(lexCuda("( ["), 0), 2U);
  EXPECT_EQ(closingAngle(lexCuda("a < b;"), 1), 4U);
}

TEST(Brackets, PairsStandWithinOneStatementAndOnePair) {
  const auto lexemes = lexCuda("a < b; c > d < (e > f) g > h) {");
  EXPECT_EQ(closingAngle(lexemes, 1), lexemes.size());
  EXPECT_EQ(openingOf(lexemes, 5), lexemes.size());
  EXPECT_EQ(closingAngle(lexemes, 7), 14U);
  EXPECT_EQ(openingOf(lexemes, 10), lexemes.size());
  EXPECT_EQ(openingOf(lexemes, 16), lexemes.size());
  EXPECT_EQ(closingBracket(lexemes, 17), lexemes.size());
  const Lexemes part = Lexemes(lexemes).subspan(7, 3);
  EXPECT_EQ(closingAngle(part, 0), part.size());
}

TEST(Brackets, PairsAreCountedAnewWithoutDirectives) {
  const auto lexemes = lexCode("(\n#define A\n)");
  EXPECT_EQ(closingBracket(lexemes, 0), 1U);
}

TEST(Brackets, DepthIsThatOfOpenOnes) {
  const std::string nested(257, '(');
  EXPECT_FALSE(isNestedTooDeep(lexCuda(std::string_view(nested).substr(1))));
  EXPECT_TRUE(isNestedTooDeep(lexCuda(nested)));
  std::string flat;
  for (int i = 0; i < 1000; ++i) flat += ")()";
  EXPECT_FALSE(isNestedTooDeep(lexCuda(flat)));
}

TEST(Brackets, ConditionsMayTearThem) {
  EXPECT_TRUE(isTornByConditions(lexCuda("#if A\n{\n#elif B\n#else\n{\n#endif\n}")));
  EXPECT_TRUE(isTornByConditions(lexCuda("#if A\n}\n#else\n{\n#endif\n")));
  EXPECT_FALSE(isTornByConditions(lexCuda("#if A\n{\n#else\n#endif\n{}\n#if A\n}\n#endif")));
  EXPECT_FALSE(isTornByConditions(lexCuda("#if A\n{\n#if B\n{}\n#else\n()\n#endif\n}\n#else\n[]\n#endif")));
  EXPECT_FALSE(isTornByConditions(lexCuda("#else\n{\n#endif\n{")));
}

TEST(Brackets, ConditionsAreWholeOrNot) {
  EXPECT_TRUE(haveWholeConditions(lexCuda("a\n#if A\n#ifdef B\n#else\n#endif\n#endif\n")));
  EXPECT_FALSE(haveWholeConditions(lexCuda("#if A\n#ifdef B\n#endif\n")));
  EXPECT_FALSE(haveWholeConditions(lexCuda("#else\n#if A\n#endif\n")));
  EXPECT_FALSE(haveWholeConditions(lexCuda("#endif\n#if A\n")));
}

}  // namespace
}  // namespace wb
