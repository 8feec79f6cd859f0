// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/figures/profile/profile_figures.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

Report withPtx(const std::string& ptx) {
  Job job;
  job.kernels.push_back({.path = "kernels/relu.cu",
                         .text = "",
                         .language = "raw_cuda",
                         .op = "aten::relu",
                         .referencePath = {},
                         .referenceText = {}});
  Report report = startReport(job);
  Compiled compiled;
  Artifact artifact;
  artifact.name = "relu";
  artifact.assembly = ptx;
  compiled.artifacts = {artifact};
  fold(report, compiledStep(compiled));
  return report;
}

TEST(PtxFigure, LinesOfTheSourceComeFromItsDirectives) {
  const Table table =
      ptxTable(withPtx("//\n.version 9.0\n.visible .entry relu()\n{\n\t.loc\t1 7 3\n\tld.global.f32 "
                       "%f1, [%rd1];\n\t.loc 2 90 1, function_name $L, inlined_at 1 8 2\n\tret;\n}\n"
                       "\t.file 1 \"/build/x/relu.cu\"\n\t.file\t2 \"/usr/math.hpp\"\n\t.section "
                       ".debug_str\n{\n.b8 1\n}\n"));
  std::vector<std::string> texts, places;
  for (const auto& row : table.rows) texts.push_back(row.cells[1].text), places.push_back(row.cells[2].text);
  EXPECT_EQ(texts, (std::vector<std::string>{"//", ".version 9.0", ".visible .entry relu()", "{",
                                             "  ld.global.f32 %f1, [%rd1];", "  ret;", "}"}));
  EXPECT_EQ(places, (std::vector<std::string>{"", "", "", "", "7", "math.hpp:90", ""}));
  ASSERT_EQ(table.rows.size(), 7U);
  EXPECT_EQ(table.rows[4].place.file, "kernels/relu.cu");  // where it was compiled does not matter
  EXPECT_TRUE(table.rows[0].cells[0].text.empty());        // one form only
}

TEST(PtxFigure, BadDirectivesAndNoPtxAreNoAccident) {
  EXPECT_TRUE(ptxTable(Report{}).rows.empty());
  EXPECT_FALSE(ptxTable(Report{}).empty.empty());
  const Table table = ptxTable(withPtx(".loc\n.loc x y\n.file \"\n.file 3\nret;"));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].place.line, 0);
}

TEST(PtxFigure, FormsOfSeveralKernelsAreToldApart) {
  Report report = withPtx("ret;");
  Report other = withPtx("exit;");
  report.kernels.push_back(other.kernels[0]);
  const Table all = ptxTable(report);
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_NE(all.rows[0].cells[0].text, all.rows[1].cells[0].text);
  EXPECT_NE(all.rows[0].id, all.rows[1].id);
  const Table one = ptxTable(report, CaseKey{1, 0});
  ASSERT_EQ(one.rows.size(), 1U);
  EXPECT_EQ(one.rows[0].cells[1].text, "exit;");
}

}  // namespace
}  // namespace wb
