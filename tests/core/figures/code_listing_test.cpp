// SPDX-License-Identifier: Apache-2.0
#include "core/figures/code/code_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/figures/code/code_text.h"
#include "core/figures/code/opcodes.h"
#include "core/figures/code/readable_names.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;

std::vector<std::pair<std::string, int>> linesOf(ListingKind kind, const std::string& text) {
  std::vector<std::pair<std::string, int>> lines;
  for (const CodeLine& line : codeLines(kind, text, "kernels/k.py"))
    lines.emplace_back(line.text, line.place.file == "kernels/k.py" ? line.place.line : -line.place.line);
  return lines;
}

TEST(ReadableNames, NamesOfFunctionsAreThoseOfTheirSource) {
  EXPECT_EQ(withReadableNames("call   1040 <_ZN2at6Tensor4reluEv@plt>"),
            "call   1040 <at::Tensor::relu()@plt>");
  EXPECT_EQ(withReadableNames("CALL.REL.NOINC `(_Z1fi) ; // _Z1gPKf"),
            "CALL.REL.NOINC `(f(int)) ; // g(float const*)");
  for (const char* plain : {"FADD R1, R2, R3", "mov eax,_Zero", "x_Z1fi", "_Z", ""})
    EXPECT_EQ(withReadableNames(plain), plain);
}

TEST(CodeText, PlacesOfMlirFollowTheirNames) {
  const auto lines = linesOf(ListingKind::ttir, R"(#loc = loc("/cache/k.py":10:0)
module {
  tt.func public @f(%x: !tt.ptr<f32> loc("x"(#loc))) {
    %0 = tt.get_program_id x : i32 loc(#loc9)
    %1 = "tt.reduce"(%0) ({ loc(#loc7)
    tt.return loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("/cache/k.py":13:24)
#loc3 = loc("/site/triton/language/standard.py":290:36)
#loc7 = loc(callsite(#loc3 at #loc2))
#loc9 = loc("row"(#loc2))
)");
  EXPECT_EQ(lines, (std::vector<std::pair<std::string, int>>{
                       {"module {", 0},
                       {"  tt.func public @f(%x: !tt.ptr<f32> loc(\"x\"(#loc))) {", 0},
                       {"    %0 = tt.get_program_id x : i32", 13},
                       {"    %1 = \"tt.reduce\"(%0) ({", 13},
                       {"    tt.return", 10},
                       {"  }", 10},
                       {"}", 10}}));
}

TEST(CodeText, PlacesOfLlvmGoUpToTheOwnFile) {
  const auto lines = linesOf(ListingKind::llir, R"(define void @f(ptr %0) !dbg !5 {
  %2 = fadd float %1, %1, !dbg !9
  %3 = fmul float %2, %2, !dbg !11
  ret void
}
!1 = !DIFile(filename: "k.py", directory: "/cache")
!2 = !DIFile(filename: "standard.py", directory: "/site")
!5 = distinct !DISubprogram(name: "f", file: !1, line: 8)
!6 = distinct !DISubprogram(name: "sum", file: !2, line: 80)
!9 = !DILocation(line: 12, column: 3, scope: !5)
!11 = !DILocation(line: 88, column: 3, scope: !6, inlinedAt: !12)
!12 = !DILocation(line: 14, column: 7, scope: !5)
)");
  EXPECT_EQ(lines, (std::vector<std::pair<std::string, int>>{{"define void @f(ptr %0) {", 0},
                                                             {"  %2 = fadd float %1, %1", 12},
                                                             {"  %3 = fmul float %2, %2", 14},
                                                             {"  ret void", 0},
                                                             {"}", 0}}));
}

TEST(CodeText, PlacesInACircleAndNonsenseEnd) {
  EXPECT_EQ(linesOf(ListingKind::ttir, "a loc(#loc1)\n#loc1 = loc(#loc2)\n#loc2 = loc(#loc1)\nb loc(").size(),
            2U);
  EXPECT_EQ(linesOf(ListingKind::llir, "a, !dbg !1\n!1 = !DILocation(scope: !1, inlinedAt: !1)\n").size(),
            1U);
  EXPECT_TRUE(linesOf(ListingKind::ttgir, "").empty());
}

TEST(CodeListing, MachineCodeAndPtxAreFormsWithTheirLines) {
  const Report report = samples::folded(samples::profiledRun());
  const CodeListing listing = codeListing(report, CaseKey{0, 0});
  ASSERT_FALSE(listing.forms.empty());
  const CodeForm& form = listing.forms[firstForm(listing)];
  EXPECT_EQ(form.language, "SASS");
  EXPECT_EQ(form.rows.size(), 7U);
  EXPECT_EQ(form.rows[1].line, 11);
  EXPECT_EQ(form.rows[4].line, 0);
  EXPECT_THAT(form.rows[4].library, HasSubstr("math_functions.hpp:"));
  EXPECT_GT(form.samples, 0);
  EXPECT_GE(listing.samples, form.samples);
  EXPECT_TRUE(listing.empty.empty());
}

TEST(CodeListing, DtypesOfOneFunctionAreToldApart) {
  samples::Run run = samples::staticRun();
  for (Event& event : run.events)
    if (auto* listed = resultIn<Listed>(event)) {
      listed->listings.push_back(listed->listings[0]);
      listed->listings[0].dtype = "f32";
      listed->listings[1].dtype = "bf16";
    }
  const CodeListing listing = codeListing(samples::folded(run), {});
  std::vector<std::string> dtypes;
  for (const CodeForm& form : listing.forms)
    if (form.kind == ListingKind::sass) dtypes.push_back(form.dtype);
  EXPECT_EQ(dtypes, (std::vector<std::string>{"f32", "bf16"}));
}

TEST(CodeListing, WithoutCodeItSaysWhy) {
  EXPECT_FALSE(codeListing(Report{}, {}).empty.empty());
  EXPECT_THAT(codeListing(samples::allPass(), {}).empty, HasSubstr("Profile the kernel"));
}

TEST(CodeCounters, SharesOfRowsAndLinesAreThoseOfAllSamples) {
  const Report report = samples::folded(samples::profiledRun());
  const CodeListing listing = codeListing(report, CaseKey{0, 0});
  const CodeForm& form = listing.forms[firstForm(listing)];
  const auto counters = codeCounters(listing, form);
  ASSERT_GE(counters.size(), 3U);
  EXPECT_EQ(counters[0].id, "samples");
  EXPECT_EQ(counters[1].title, "Long scoreboard");
  const auto rows = rowMarks(listing, form, "samples");
  double sum = 0;
  for (const auto& [row, mark] : rows) sum += mark.share;
  EXPECT_NEAR(sum, static_cast<double>(form.samples) / static_cast<double>(listing.samples), 1e-9);
  const auto lines = lineMarks(listing, form, "samples");
  ASSERT_TRUE(lines.contains(14));
  EXPECT_GT(lines.at(14).share, 0.4);
  const auto stalls = lineMarks(listing, form, counters[1].id);
  EXPECT_LE(stalls.at(14).share, lines.at(14).share);
  EXPECT_THAT(lines.at(14).detail, HasSubstr("samples"));
}

TEST(CodeCounters, RegistersAndInstructionsNeedNoSamples) {
  CodeListing listing;
  listing.forms.resize(1);
  CodeForm& form = listing.forms[0];
  form.rows = {{.text = "LDC", .line = 3, .live = 2},
               {.text = "FFMA", .line = 3, .live = 7},
               {.text = "EXIT", .line = 4}};
  std::vector<std::string> ids;
  for (const CodeCounter& each : codeCounters(listing, form)) ids.push_back(each.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"live", "rows"}));
  EXPECT_EQ(rowMarks(listing, form, "live").at(1).text, "7");
  EXPECT_EQ(lineMarks(listing, form, "live").at(3).text, "7");
  EXPECT_FALSE(lineMarks(listing, form, "live").contains(4));
  EXPECT_EQ(lineMarks(listing, form, "rows").at(3).text, "2");
  EXPECT_TRUE(rowMarks(listing, form, "rows").empty());
}

TEST(PairedRows, WhereAJumpLeadsIsNoChange) {
  CodeForm before, after;
  before.rows = {{.text = "LDG R2"}, {.text = "@P0 BRA 0x40"}, {.text = "EXIT"}};
  after.rows = {{.text = "LDG R2"}, {.text = "FADD R2, R2, 1"}, {.text = "@P0 BRA 0x50"}, {.text = "EXIT"}};
  constexpr std::size_t none = PairedRow::none;
  EXPECT_EQ(pairRows(before, after), (std::vector<PairedRow>{{0, 0}, {none, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(pairRows(after, before), (std::vector<PairedRow>{{0, 0}, {1, none}, {2, 1}, {3, 2}}));
  EXPECT_EQ(pairRows({}, {}), std::vector<PairedRow>{});
}

TEST(Opcodes, AreFoundInARowOfEachLanguage) {
  EXPECT_EQ(opcodeIn(ListingKind::sass, "@!P0 LDG.E.128 R4, desc[UR4][R2.64]"), "LDG.E.128");
  EXPECT_EQ(opcodeIn(ListingKind::ptx, "  @%p1 bra $L__BB0_3;"), "bra");
  EXPECT_EQ(opcodeIn(ListingKind::ptx, "$L__BB0_2:"), "");
  EXPECT_EQ(opcodeIn(ListingKind::host, "vaddps ymm0,ymm1,ymm2"), "vaddps");
  EXPECT_EQ(opcodeIn(ListingKind::ttir, "  %3 = tt.load %2 : f32"), "tt.load");
  EXPECT_EQ(opcodeIn(ListingKind::sass, ""), "");
}

TEST(Opcodes, HaveAShortLineEach) {
  EXPECT_EQ(opcodeHelp(ListingKind::sass, "LDG.E.128"), "LDG: Loads from global memory");
  EXPECT_THAT(opcodeHelp(ListingKind::ptx, "fma.rn.f32"), HasSubstr("one rounding"));
  EXPECT_THAT(opcodeHelp(ListingKind::host, "vaddps"), HasSubstr("AVX"));
  EXPECT_EQ(opcodeHelp(ListingKind::sass, "NOSUCH"), "");
  EXPECT_EQ(opcodeHelp(ListingKind::ttir, "tt.load"), "");
}

TEST(Opcodes, OfARealBinaryAreKnown) {
  const Report report = samples::folded(samples::profiledRun());
  const CodeListing listing = codeListing(report, {});
  for (const CodeForm& form : listing.forms)
    for (const CodeRow& row : form.rows)
      if (row.kind == CodeRowKind::instruction && form.kind == ListingKind::sass) {
        EXPECT_NE(opcodeHelp(form.kind, opcodeIn(form.kind, row.text)), "") << row.text;
      }
}

}  // namespace
}  // namespace wb
