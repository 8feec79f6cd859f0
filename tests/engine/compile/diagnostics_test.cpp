// SPDX-License-Identifier: Apache-2.0
// The texts under outputs/ are what g++ 12.2, clang++ 14.0.6, nvcc and NVRTC 13.0 printed for small sources.
#include "core/engine/compile/diagnostics.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/base/files/file.h"

namespace wb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<Diagnostic> parsed(const std::string& name, const std::string& tool) {
  const auto text =
      readFile(std::string{WB_SOURCE_DIR "/tests/engine/compile/outputs/"} + name + "." + tool + ".txt");
  EXPECT_TRUE(text) << (text ? "" : describe(text.error()));
  return text ? parseDiagnostics(*text, tool) : std::vector<Diagnostic>{};
}

std::string brief(const Diagnostic& d) {
  const char* const severity = d.severity == Severity::error     ? "error"
                               : d.severity == Severity::warning ? "warning"
                                                                 : "note";
  return text(d.place) + " " + severity + ": " + d.message + (d.code.empty() ? "" : " {" + d.code + "}");
}
std::vector<std::string> brief(const std::vector<Diagnostic>& all) {
  std::vector<std::string> out;
  for (const auto& d : all) out.push_back(brief(d));
  return out;
}

TEST(HostDiagnostics, SyntaxErrorsHaveLineColumnAndCode) {
  EXPECT_THAT(brief(parsed("syntax", "g++")),
              ElementsAre("syntax.cpp:4:14 error: expected primary-expression before ‘;’ token",
                          "syntax.cpp:5:10 error: ‘z’ was not declared in this scope",
                          "syntax.cpp:5:15 error: expected ‘;’ before ‘}’ token",
                          "syntax.cpp:3:7 warning: unused variable ‘unused’ {-Wunused-variable}"));
  EXPECT_THAT(brief(parsed("syntax", "clang++")),
              ElementsAre("syntax.cpp:4:14 error: expected expression",
                          "syntax.cpp:5:10 error: use of undeclared identifier 'z'",
                          "syntax.cpp:5:15 error: expected ';' after return statement"));
}

TEST(HostDiagnostics, NameTheToolThatSpoke) {
  for (const auto& d : parsed("syntax", "clang++")) EXPECT_EQ(d.tool, "clang++");
  for (const auto& d : parsed("undefined", "nvcc")) EXPECT_EQ(d.tool, "nvcc");
}

TEST(HostDiagnostics, ErrorInAHeaderIsFollowedByWhoIncludedIt) {
  EXPECT_THAT(brief(parsed("inc2", "g++")),
              ElementsAre("hdr.h:2:30 error: ‘undefined_thing’ was not declared in this scope",
                          "inc2.cpp:1 note: included from here"));
  EXPECT_THAT(brief(parsed("inc2", "clang++")),
              ElementsAre("./hdr.h:2:30 error: use of undeclared identifier 'undefined_thing'",
                          "inc2.cpp:1 note: included from here"));
}

TEST(HostDiagnostics, TemplateCascadeLeadsBackToTheUsersLine) {
  const auto gcc = parsed("tmpl", "g++");
  ASSERT_GE(gcc.size(), 5U);
  EXPECT_THAT(brief(gcc[0]), HasSubstr("stl_algo.h:1938:50 error: no match for ‘operator-’"));
  EXPECT_THAT(brief(gcc[1]), HasSubstr("stl_algo.h:4820:18 note: required from"));
  EXPECT_EQ(brief(gcc[2]), "tmpl.cpp:8:12 note: required from here");
  const auto own = brief(gcc);
  EXPECT_EQ(own[own.size() - 3],
            "tmpl.cpp:4:44 error: no match for ‘operator+’ (operand types are ‘S’ and ‘S’)");
  EXPECT_EQ(own.back(), "tmpl.cpp:9:8 note: required from here");

  const auto clang = brief(parsed("tmpl", "clang++"));
  EXPECT_THAT(clang,
              ::testing::Contains(StartsWith("tmpl.cpp:8:8 note: in instantiation of function template")));
}

TEST(HostDiagnostics, LinkerErrorsAreErrorsAndTheirSummaryIsDropped) {
  EXPECT_THAT(
      brief(parsed("link", "g++")),
      ElementsAre(" warning: relocation against `gone' in read-only section `.text'",
                  "link.cpp error: undefined reference to `missing(int)'",
                  "link.cpp error: undefined reference to `gone'", " warning: creating DT_TEXTREL in a PIE"));
  EXPECT_THAT(brief(parsed("link", "clang++")),
              ElementsAre("link.cpp error: undefined reference to `missing(int)'",
                          "link.cpp error: undefined reference to `gone'"));
  EXPECT_THAT(
      brief(parseDiagnostics("clang: error: linker command failed with exit code 1 (use -v …)\n", "clang++")),
      ElementsAre(" error: linker command failed with exit code 1 (use -v …)"));
}

TEST(HostDiagnostics, MissingIncludeIsAnError) {
  EXPECT_THAT(brief(parsed("fatal", "g++")),
              ElementsAre("fatal.cpp:1:10 error: nowhere/at_all.h: No such file or directory"));
  EXPECT_THAT(brief(parsed("fatal", "clang++")),
              ElementsAre("fatal.cpp:1:10 error: 'nowhere/at_all.h' file not found"));
}

TEST(HostDiagnostics, WarningsCarryTheirFlag) {
  const auto all = parsed("warn", "g++");
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0].code, "-Wformat=");
  EXPECT_EQ(all[0].severity, Severity::warning);
  EXPECT_EQ(all[1].code, "-Wsign-compare");
  EXPECT_THAT(
      brief(parseDiagnostics("a.cpp:3:7: error: unused variable 'u' [-Werror=unused-variable]", "g++")),
      ElementsAre("a.cpp:3:7 error: unused variable 'u' {-Werror=unused-variable}"));
}

TEST(HostDiagnostics, NotesFollowTheirError) {
  EXPECT_THAT(brief(parsed("ovl", "clang++")),
              ElementsAre("ovl.cpp:2:12 error: no matching function for call to 'g'",
                          StartsWith("ovl.cpp:1:19 note: "), StartsWith("ovl.cpp:1:6 note: "),
                          "ovl.cpp:4:9 error: use of undeclared identifier 'nope'",
                          "ovl.cpp:3:20 note: expanded from macro 'BAD'"));
}

TEST(HostDiagnostics, ExcerptsThatQuoteMessagesAreNotMessages) {
  EXPECT_THAT(parseDiagnostics("   12 |   puts(\"x.cpp:1:2: error: no\");\n      |   ^~~~\n", "g++"),
              IsEmpty());
}

TEST(HostDiagnostics, FilesMayHaveBlanksColonsAndAccents) {
  const auto all = parseDiagnostics("/tmp/a b: é's.cpp:12:3: error: bad: worse\n", "g++");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].place, (Place{"/tmp/a b: é's.cpp", 12, 3}));
  EXPECT_EQ(all[0].message, "bad: worse");
}

TEST(HostDiagnostics, TextThatIsNoMessageIsIgnored) {
  EXPECT_THAT(parseDiagnostics("", "g++"), IsEmpty());
  EXPECT_THAT(parseDiagnostics("hello\ncompilation terminated.\n1 error generated.\n\n:::\n", "clang++"),
              IsEmpty());
}

TEST(CudaDiagnostics, CaretGivesTheColumn) {
  EXPECT_THAT(brief(parsed("undefined", "nvcc")),
              ElementsAre("undefined.cu:4:27 error: identifier \"j\" is undefined",
                          "undefined.cu:4:39 error: identifier \"undefined_fn\" is undefined"));
  EXPECT_THAT(
      brief(parsed("undefined", "nvrtc")),
      ElementsAre(
          "undefined.cu:4:27 error: identifier \"j\" is undefined",
          "undefined.cu:4:39 error: identifier \"undefined_fn\" is undefined",
          "undefined.cu:2:7 warning: variable \"unused\" was declared but never referenced {#177-D}"));
}

TEST(CudaDiagnostics, ColumnsAreThoseOfTheSourceWhereNvccExpandedGlobal) {
  const auto nvcc = parsed("overload", "nvcc");
  const auto nvrtc = parsed("overload", "nvrtc");
  ASSERT_GE(nvcc.size(), 4U);
  ASSERT_GE(nvrtc.size(), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(nvcc[1 + i].place.column, nvrtc[i].place.column) << i;
}

TEST(CudaDiagnostics, ContinuationLinesJoinTheMessage) {
  const auto all = parsed("overload", "nvrtc");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].message,
            "no instance of overloaded function \"g\" matches the argument list\n"
            "argument types are: (double *, int, int)");
  EXPECT_EQ(all[1].severity, Severity::note);
  EXPECT_EQ(all[1].code, "#3322-D");
  EXPECT_THAT(parsed("instantiation", "nvrtc").back().message,
              HasSubstr("\ninstantiation of \"T outer(T) [with T=float]\" at line 3"));
}

TEST(CudaDiagnostics, CatastrophicAndDirectiveErrors) {
  EXPECT_THAT(brief(parsed("missing_include", "nvrtc")),
              ElementsAre("missing_include.cu:1:21 error: cannot open source file \"nowhere.h\""));
  EXPECT_THAT(brief(parsed("missing_include", "nvcc")),
              ElementsAre("missing_include.cu:1:10 error: nowhere.h: No such file or directory"));
}

TEST(CudaDiagnostics, EndOfSourceIsPlacedInTheFile) {
  EXPECT_THAT(brief(parsed("unclosed", "nvrtc")),
              ElementsAre("unclosed.cu error: expected a \"}\"",
                          "unclosed.cu:1:29 note: to match this \"{\" {#3196-D}"));
}

TEST(CudaDiagnostics, AssemblerAndLinkerErrors) {
  EXPECT_THAT(brief(parsed("extern", "nvrtc")),
              ElementsAre(" error: ptxas fatal: Unresolved extern function '_Z7missingf'"));
  EXPECT_THAT(brief(parsed("assembly", "nvrtc")),
              ElementsAre(" error: ptxas error: Unknown modifier '.op' (PTX line 28)",
                          " error: ptxas error: Not a name of any known instruction: 'bogus' (PTX line 28)",
                          " error: ptxas fatal: Ptx assembly aborted due to errors"));
  EXPECT_THAT(brief(parseDiagnostics("nvcc fatal   : Unsupported gpu architecture 'sm_10'\n", "nvcc")),
              ElementsAre(" error: nvcc fatal: Unsupported gpu architecture 'sm_10'"));
}

TEST(CudaDiagnostics, WhatTwoPassesOfNvccSayTwiceIsSaidOnce) {
  EXPECT_THAT(
      brief(parsed("warning", "nvcc")),
      ElementsAre(
          "warning.cu:6:1 warning: missing return statement at end of non-void function \"f\" {#940-D}",
          "warning.cu:2:7 warning: variable \"u\" was declared but never referenced {#177-D}",
          StartsWith("warning.cu:5:7 warning: comparison of integer expressions"),
          "warning.cu:6:1 warning: control reaches end of non-void function {-Wreturn-type}"));
}

TEST(CudaDiagnostics, OlderNumberedErrors) {
  const auto all = parseDiagnostics(
      "dir (2)/a.cu(12): error #20: identifier \"x\" is undefined\n    y = x;\n        ^\n", "nvcc");
  EXPECT_THAT(brief(all), ElementsAre("dir (2)/a.cu:12:7 error: identifier \"x\" is undefined {#20}"));
}

}  // namespace
}  // namespace wb
