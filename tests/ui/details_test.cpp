// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/details.h"

#include <QTabWidget>
#include <QTableView>

#include "editor/kernel_editor.h"
#include "tests/core/model/steps.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/results/details_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

const char* const traceback =
    "Traceback (most recent call last):\n"
    "  File \"relu.py\", line 7, in relu_kernel_impl\n    return helper(self)\n"
    "  File \"/env/lib/a \\\"b\\\".py\", line 12, in helper\n"
    "RuntimeError: File \"no line\"\n";

TEST(Frames, AreTheLinesThatNameAPlace) {
  const std::vector<TraceFrame> frames = framesOf(traceback);
  ASSERT_GE(frames.size(), 1u);
  EXPECT_EQ(frames[0].place, (Place{"relu.py", 7, 0}));
  EXPECT_EQ(std::string(traceback).substr(frames[0].begin, frames[0].end - frames[0].begin),
            "File \"relu.py\", line 7");
  EXPECT_TRUE(framesOf("").empty());
  EXPECT_TRUE(framesOf("File \"x").empty());
  EXPECT_TRUE(framesOf("File \"x\", line 99999999999999999999999").empty());
}

std::shared_ptr<const RunFigures> figuresOfAThrow() {
  Job job;
  job.kernels.push_back({.path = "relu.py",
                         .text = "x",
                         .language = "python",
                         .op = "relu",
                         .referencePath = {},
                         .referenceText = {}});
  Report report = startReport(job);
  Case definition;
  definition.op = "aten::relu", definition.args = "((T([5, 5], f32),), {})", definition.shapes = "5×5";
  definition.dtype = "f32";
  fold(report, compiledStep({.op = "aten::relu",
                             .schema = {},
                             .seconds = 0,
                             .cached = false,
                             .toolchain = {},
                             .note = {},
                             .artifacts = {},
                             .cases = {definition}}));
  CaseCheck check;
  check.verdict = Verdict::threw;
  check.message = "RuntimeError: no <b>";
  check.trace = traceback;
  fold(report, StepDone{Stage::check, 0, 0, check});
  return makeFigures(std::make_shared<Report>(std::move(report)));
}

TEST(DetailsOf, ACaseHaveEveryColumnTheMessageAndTheTrace) {
  const auto figures = figuresOfAThrow();
  const std::optional<Details> details = detailsOf(*figures, "0/0");
  ASSERT_TRUE(details);
  EXPECT_EQ(details->verdict, "threw");
  EXPECT_EQ(details->tone, Tone::bad);
  EXPECT_NE(details->message.find("no <b>"), std::string::npos);
  EXPECT_EQ(details->trace, traceback);
  const auto arguments = std::find_if(details->facts.begin(), details->facts.end(),
                                      [](const auto& fact) { return fact.first == "Arguments"; });
  ASSERT_NE(arguments, details->facts.end());
  EXPECT_EQ(arguments->second, "((T([5, 5], f32),), {})");
  EXPECT_FALSE(detailsOf(*figures, "0/1"));
  EXPECT_FALSE(detailsOf(*figures, "nonsense"));
  EXPECT_FALSE(detailsOf(*figures, ""));
}

TEST(DetailsOf, AFailedStageHaveItsTrace) {
  Job job;
  job.kernels.push_back({.path = "relu.py",
                         .text = "x",
                         .language = "python",
                         .op = "relu",
                         .referencePath = {},
                         .referenceText = {}});
  Report report = startReport(job);
  Error error{Stage::compile, "ImportError: no module", "install it", {}};
  error.trace = traceback;
  fold(report, StageFailed{0, error});
  const auto figures = makeFigures(std::make_shared<Report>(std::move(report)));
  ASSERT_EQ(figures->problems->rowIds.size(), 1u);
  const auto details = detailsOf(*figures, figures->problems->rowIds[0]);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->trace, traceback);
  EXPECT_NE(details->title.find("ImportError"), std::string::npos);
}

class DetailsTest : public test::WindowTest {};

TEST_F(DetailsTest, ALineOfATracebackLeadsToItsPlace) {
  DetailsView view;
  QString file;
  int line = 0;
  QObject::connect(&view, &DetailsView::placeClicked, [&](const QString& f, int l) { file = f, line = l; });
  view.setDetails(*detailsOf(*figuresOfAThrow(), "0/0"));
  EXPECT_TRUE(view.toPlainText().contains("RuntimeError: no <b>"));
  view.resize(700, 400);
  view.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
  QTextCursor at = view.document()->find("relu.py");
  ASSERT_FALSE(at.isNull());
  const QPoint there = view.cursorRect(at).center() - QPoint(4, 0);
  EXPECT_TRUE(view.anchorAt(there).startsWith("frame:"))
      << view.anchorAt(there).toStdString() << view.toHtml().toStdString();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, there);
  EXPECT_EQ(file, "relu.py");
  EXPECT_EQ(line, 7);
}

TEST_F(DetailsTest, TheSelectedCaseIsShownInFullAndEnterOpensIt) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const RunFigures& figures = run();
  parts().results->cases().select("0/0");
  EXPECT_EQ(parts().details->details(), *detailsOf(figures, "0/0"));
  EXPECT_NE(parts().output->currentWidget(), parts().details);
  QTest::keyClick(&parts().results->cases().view(), Qt::Key_Return);
  EXPECT_EQ(parts().output->currentWidget(), parts().details);
  for (const auto& [title, text] : parts().details->details().facts)
    EXPECT_TRUE(parts().details->toPlainText().contains(QString::fromStdString(title))) << title;
}

TEST_F(DetailsTest, AnotherRunBeginsWithoutThem) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  parts().results->cases().select("0/0");
  press(Qt::Key_F5);
  EXPECT_EQ(parts().details->details(), Details{});
  EXPECT_TRUE(waitFor([this] { return !window().controller().running(); }));
}

}  // namespace
}  // namespace wb
