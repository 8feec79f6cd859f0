// SPDX-License-Identifier: Apache-2.0
#include "core/figures/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/figures/cells.h"
#include "core/figures/groups.h"
#include "core/model/log_sources.h"
#include "core/model/pace.h"
#include "tests/core/figures/sample_report.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::HasSubstr;

std::vector<Report> allSamples() {
  return {samples::allPass(),     samples::mixedFailures(),    samples::compileFailure(),
          samples::crash(),       samples::cancelledHalfWay(), samples::timingHalfWay(),
          samples::compileOnly(), samples::severalKernels(),   samples::noWorker(),
          samples::emptyJob(),    samples::hostile(),          samples::many(300)};
}

TEST(Figures, IdsAreThoseOfTheirValues) {
  for (const FigureInfo& info : figures())
    std::visit([&](const auto& figure) { EXPECT_EQ(figure.id, info.id); }, info.make(samples::allPass()));
}

TEST(Figures, EveryTableIsRectangularWithUniqueRowIds) {
  for (const Report& report : allSamples())
    for (const FigureInfo& info : figures()) {
      const Figure figure = info.make(report);
      const Table* table = std::get_if<Table>(&figure);
      if (table == nullptr) continue;
      std::set<std::string> ids;
      for (const Table::Row& row : table->rows) {
        EXPECT_FALSE(row.id.empty()) << table->id;
        EXPECT_TRUE(ids.insert(row.id).second) << table->id << ": " << row.id;
      }
      EXPECT_EQ(table->rows.empty(), !table->empty.empty()) << table->id;
      for (const Table::Row& row : table->rows)
        EXPECT_EQ(row.cells.size(), table->columns.size()) << table->id;
    }
}

TEST(Figures, TheTooltipOfAColumnSaysItsUnitAndWhichSideIsBetter) {
  Column column{.key = "time", .title = "Time", .meaning = "Of a call"};
  EXPECT_EQ(tooltipOf(column), "Of a call");
  column.unit = "s";
  EXPECT_EQ(tooltipOf(column), "Of a call (s)");
  column.better = Better::lower;
  EXPECT_EQ(tooltipOf(column), "Of a call (s, lower is better)");
  column.unit = "";
  EXPECT_EQ(tooltipOf(column), "Of a call (lower is better)");
}

TEST(Figures, EveryBarBelongsToARowAndHasALabelOfItsOwn) {
  for (const Report& report : allSamples()) {
    std::set<std::string> rows, labels;
    for (const Table& table : {casesTable(report), operatorsTable(report)})
      for (const Table::Row& row : table.rows) rows.insert(row.id);
    for (const Bar& bar : speedupChart(report).bars) {
      EXPECT_TRUE(rows.contains(bar.rowId)) << bar.rowId;
      EXPECT_TRUE(labels.insert(bar.label).second) << bar.label;
      EXPECT_LE(bar.low, bar.value);
      EXPECT_GE(bar.high, bar.value);
    }
  }
}

TEST(Figures, DiagnosticsKeepTheirPlaces) {
  const Table table = problemsTable(samples::compileFailure());
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0].place, (Place{"kernels/relu.cpp", 10, 61}));
  EXPECT_EQ(table.rows[3].id, "0/diag/3");
  EXPECT_EQ(table.rows[0].cells[1].text, "10:61") << "in the kernel's own file";
  EXPECT_THAT(table.rows[3].cells[2].text, HasSubstr("[-Wunused-variable]"));
}

TEST(Figures, FailingCasesAreProblemsUnderTheirRowIdInTheCasesTable) {
  const Table table = problemsTable(samples::crash());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].id, "0/3");
  EXPECT_EQ(table.rows[0].place, (Place{samples::crash().kernels[0]->source.path, 0, 0}))
      << "never its suite";
  EXPECT_THAT(table.rows[0].cells[2].text, HasSubstr("SIGSEGV"));
}

TEST(Figures, ThousandsOfFailingCasesAreCountedNotListed) {
  Job job;
  job.kernels = {{"relu.cpp", "", "torch_cpp", ""}};
  Report report = startReport(job);
  Compiled compiled;
  compiled.cases.resize(1000);
  fold(report, compiledStep(compiled));
  for (std::uint32_t i = 0; i < 1000; ++i) fold(report, checkedStep(0, i, Verdict::threw));
  const Table table = problemsTable(report);
  EXPECT_EQ(table.rows.size(), 101U);
  EXPECT_EQ(table.rows.back().cells[2].text, "900 more cases fail");
}

TEST(Figures, RowsOfCasesBelongToTheSetsThatAReaderChoosesFrom) {
  const Table table = casesTable(samples::mixedFailures());
  ASSERT_EQ(table.sets.size(), 3U);
  EXPECT_EQ(table.sets[0].title, "Failing");
  EXPECT_TRUE(table.sets[0].leads);
  const Counts all = counts(samples::mixedFailures());
  EXPECT_EQ(std::ranges::count_if(table.rows, [](const Table::Row& row) { return (row.sets & 1U) != 0; }),
            all.failed);
  const Table fast = casesTable(samples::allPass());
  int slower = 0;
  forEachCase(*samples::allPass().kernels[0], [&](std::size_t, const CaseRow& row) {
    slower += row.timing && row.timing->speedup.pace == Pace::slower ? 1 : 0;
  });
  EXPECT_EQ(std::ranges::count_if(fast.rows, [](const Table::Row& row) { return (row.sets & 2U) != 0; }),
            slower);
  EXPECT_GE(fast.span, 1.1);
  EXPECT_LE(fast.span, 8);
}

TEST(Figures, FailingVerdictTellsWhereAndHowMuch) {
  const Table table = casesTable(samples::mixedFailures());
  const Cell& verdict = table.rows[1].cells[4];
  EXPECT_EQ(verdict.text, "mismatch");
  EXPECT_EQ(verdict.tone, Tone::bad);
  EXPECT_THAT(verdict.detail, HasSubstr("first at [3, 17]: expected 0.5, got 0.75"));
  EXPECT_THAT(verdict.detail, HasSubstr("of 1\u2009048\u2009576 elements"));
}

TEST(Figures, LayoutIsThatOfTheFirstTensorOutOfTheOrdinary) {
  EXPECT_EQ(layoutOf("((T([5, 5], f32),), {})"), "");
  EXPECT_EQ(layoutOf("((T([5, 5], f32), T([5, 5], f32, [1, 5])), {})"), "transposed");
  EXPECT_EQ(layoutOf("((T([64, 64], f32, [0, 1]),), {})"), "expanded");
  EXPECT_EQ(layoutOf("((T([64, 32], f32, [64, 1]),), {})"), "strided");
  EXPECT_EQ(layoutOf("((T([], f32), [1, 2]), {})"), "");
  EXPECT_EQ(layoutOf("T(["), "");
}

TEST(Figures, TheSummarySaysWhenTheJudgeWasStrict) {
  Report report = samples::allPass();
  EXPECT_THAT(progressLine(report), testing::Not(HasSubstr("strict")));
  report.strict = true;
  EXPECT_THAT(progressLine(report), HasSubstr(" · strict · "));
}

TEST(Figures, CompileOnlyIsSaidPlainly) {
  const Report report = samples::compileOnly();
  EXPECT_THAT(progressLine(report), HasSubstr("not run: this machine has no GPU"));
  EXPECT_THAT(headline(report).cards[0].detail, HasSubstr("no GPU"));
  EXPECT_THAT(speedupChart(report).empty, HasSubstr("no GPU"));
  EXPECT_THAT(casesTable(report).empty, HasSubstr("no GPU"));
}

TEST(Figures, AStageThatCameToNothingIsNotedOfItsKernel) {
  Report report = samples::allPass();
  report.kernels[0].write().notDone = {{Stage::sanitize, "no tool"}};
  const Table table = kernelsTable(report);
  const auto note = std::ranges::find(table.columns, ColumnKind::note, &Column::kind) - table.columns.begin();
  EXPECT_EQ(table.rows[0].cells[std::size_t(note)].text, "not sanitized: no tool");
}

TEST(Figures, OnlyWhoAskedForItsStageWantsAFigure) {
  Report report = samples::allPass();
  const FigureInfo ofCompiling{.id = "x"}, ofTiming{.id = "y", .stage = Stage::time};
  EXPECT_TRUE(wanted(ofTiming, report));
  report.stages = {Stage::check};
  EXPECT_TRUE(wanted(ofCompiling, report));
  EXPECT_FALSE(wanted(ofTiming, report));
  for (const FigureInfo& info : figures()) EXPECT_EQ(wanted(info, report), info.page != Page::profile);
}

TEST(Figures, ProgressSaysWhatIsPreparedOnceInsteadOfCompiling) {
  Job job;
  job.kernels.push_back({});
  job.kernels[0].path = "relu.cpp";
  Report report = startReport(job);
  JobStarted started;
  started.startedAt = "2026-01-01T00:00:00Z";
  fold(report, started);
  fold(report, StepStarted{Stage::compile, 0, {}});
  EXPECT_EQ(progressLine(report), "compiling relu.cpp");
  fold(report,
       Log{std::string(preparingSource), "the compiler: precompiled header of torch, once, about 12 s"});
  EXPECT_EQ(progressLine(report), "preparing the compiler: precompiled header of torch, once, about 12 s");
  fold(report, Log{"stderr", "a kernel before says something late"});
  EXPECT_THAT(progressLine(report), HasSubstr("preparing the compiler"));
  fold(report, Log{"worker", "Built the precompiled header in 12 s"});
  EXPECT_EQ(progressLine(report), "compiling relu.cpp");
}

const Card& cardOf(const Cards& cards, std::string_view id) {
  return *std::find_if(cards.cards.begin(), cards.cards.end(),
                       [&](const Card& card) { return card.id == id; });
}

TEST(Figures, AWorkerThatWeLostIsSaidInHeadlineAndProblems) {
  Report report = samples::allPass();
  fold(report,
       WorkerLost{Blame::warpbench, 0, "between two steps of relu.cpp", "killed (SIGKILL)", "so long", 1});
  fold(report, WorkerLost{Blame::reference, 0, "checking case 1 of relu.cpp", "killed (SIGKILL)", "", 1});
  const Cards cards = headline(report);
  const Card& correct = cardOf(cards, "correct");
  EXPECT_THAT(correct.detail, HasSubstr("every case passes · Warpbench lost 1 worker of its own"));
  EXPECT_EQ(correct.tone, Tone::warning);
  EXPECT_EQ(cardOf(cards, "speedup").value, cardOf(headline(samples::allPass()), "speedup").value);
  const Table problems = problemsTable(report);
  ASSERT_EQ(problems.rows.size(), problemsTable(samples::allPass()).rows.size() + 1);
  EXPECT_EQ(problems.rows[0].id, "lost/0");
  EXPECT_EQ(problems.rows[0].cells[2].text,
            "Warpbench lost its worker between two steps of relu.cpp: killed (SIGKILL)");
  EXPECT_THAT(problems.rows[0].cells[2].detail, HasSubstr("so long"));
}

TEST(Figures, NothingOfAKernelThatCrashedIsScoredUnlessAskedFor) {
  Report report = samples::crash();
  EXPECT_EQ(cardOf(headline(report), "speedup").value, "not scored");
  EXPECT_EQ(cardOf(headline(report), "speedup").detail, "crashed in 1 case");
  EXPECT_TRUE(operatorGroups(report).at(0).timed.speedups.empty());
  report.checking.scoreCrashed = true;
  EXPECT_EQ(cardOf(headline(report), "speedup").value, "1.50×");
  EXPECT_EQ(operatorGroups(report).at(0).timed.speedups.size(), 2U);
}

TEST(Figures, TimesThatAreTooNoisyToTellAreNamedAsTheReason) {
  Report report = samples::allPass();
  for (auto& kernel : report.kernels) {
    auto& cases = kernel.write().cases;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (auto& timing = cases.write(i).timing) timing->speedup = withoutInterval(timing->speedup);
  }
  EXPECT_EQ(cardOf(headline(report), "speedup").value, "–");
  EXPECT_EQ(cardOf(headline(report), "speedup").detail, "too noisy to tell");
  EXPECT_EQ(cardOf(headline(report), "time").value, "–");
}

TEST(Figures, WhatWasTooNoisyIsInNoSumOfTimes) {
  Report report = samples::allPass();
  const Card before = cardOf(headline(report), "time");
  EXPECT_EQ(before.detail, "reference 65.1 µs · sum over 6 cases");
  auto& timing = report.kernels[0].write().cases.write(0).timing;
  ASSERT_TRUE(timing);
  timing->speedup = withoutInterval(timing->speedup);
  timing->candidate = 1000;
  const Card after = cardOf(headline(report), "time");
  EXPECT_THAT(after.detail, HasSubstr("sum over 5 cases"));
  EXPECT_THAT(after.value, HasSubstr("µs")) << after.value;
}

TEST(Figures, TheErrorOfAVoidCaseIsNobodysLargest) {
  Report report = samples::allPass();
  const Card before = cardOf(headline(report), "error");
  CaseCheck& check = report.kernels[0].write().cases.write(0).check;
  ASSERT_TRUE(check.errors);
  check.errors->maxAbs = 7;
  check.verdict = Verdict::invalid;
  EXPECT_EQ(cardOf(headline(report), "error").value, before.value);
  check.verdict = Verdict::mismatch;
  EXPECT_NE(cardOf(headline(report), "error").value, before.value);
}

TEST(Figures, ProgressNeverGoesBackAndEndsAtOne) {
  const samples::Run run = samples::manyEvents(120);
  Report report = startReport(run.job);
  double before = progressFraction(report);
  EXPECT_EQ(before, 0);
  for (const Event& event : run.events) {
    fold(report, event);
    // A case that fails leaves the time stage, which may move the fraction by what it would have taken.
    EXPECT_GE(progressFraction(report), before - 1e-9);
    before = progressFraction(report);
    EXPECT_LE(before, 1);
    EXPECT_FALSE(progressLine(report).empty());
  }
  EXPECT_EQ(before, 1);
}

TEST(Cells, ErrorFactsSayWhatTheLargestErrorsDoNot) {
  CaseCheck check;
  EXPECT_TRUE(errorFacts(check).empty());
  ErrorFigures& errors = check.errors.emplace();
  EXPECT_TRUE(errorFacts(check).empty()) << "a plain pass";
  errors.p50Abs = 1e-8;
  errors.p99Abs = 2e-7;
  errors.oracleAbs = 3e-7;
  errors.oracleReferenceAbs = 2e-7;
  errors.cluster = "the last 3 of dimension 1";
  check.varies = true;
  EXPECT_THAT(errorFacts(check),
              testing::ElementsAre("wrong: the last 3 of dimension 1",
                                   "half of the elements within 1.0e-08, 99 % within 2.0e-07",
                                   "against float64: candidate 3.0e-07, ATen 2.0e-07",
                                   "the same input gave other bits the second time"));
}

TEST(Cells, AMismatchSaysWhereItLies) {
  const Table cases = casesTable(samples::mixedFailures());
  std::string notes;
  for (const auto& row : cases.rows) notes += row.cells.back().text + "\n";
  EXPECT_THAT(notes, HasSubstr("got 0.75 · wrong: column 17"));
}

}  // namespace
}  // namespace wb
