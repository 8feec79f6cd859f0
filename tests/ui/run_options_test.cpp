// SPDX-License-Identifier: GPL-3.0-or-later
// Suite, dtype and checking: what is chosen in the run bar is what runs.
#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QFrame>
#include <QLineEdit>

#include "core/suites/suites.h"
#include "tests/ui/window_test.h"
#include "ui/results/run_figures.h"
#include "ui/run/checking_button.h"
#include "ui/run/run_bar.h"
#include "ui/run/suite_box.h"
#include "ui/tables/two_line_delegate.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

namespace wb {
namespace {

class RunOptionsTest : public test::WindowTest {
 protected:
  SuiteBox& suiteBox() { return parts().bar->suites(); }
  void waitForSuites() {
    ASSERT_TRUE(waitFor([this] { return suiteBox().findText("opinfo") >= 0; }));
  }
  void chooseSuite(const QString& name) {
    waitForSuites();
    suiteBox().choose(name);
  }
};

TEST_F(RunOptionsTest, EverySuiteIsListedWithWhatItHolds) {
  open();
  waitForSuites();
  for (const SuiteInfo& suite : suites()) {
    const int at = suiteBox().findText(QString::fromStdString(suite.name));
    ASSERT_GE(at, 0) << suite.name;
    EXPECT_EQ(suiteBox().itemData(at, TwoLineDelegate::summaryRole).toString().toStdString(),
              suite.description);
  }
  EXPECT_EQ(suiteBox().itemText(suiteBox().count() - 1), "File…");
  EXPECT_EQ(suiteBox().chosen(), "smoke");
}

TEST_F(RunOptionsTest, TheDtypeIsAskedForOnlyWhereTheSuiteTakesOne) {
  open();
  waitForSuites();
  EXPECT_FALSE(parts().bar->dtypes().isVisible());
  suiteBox().choose("opinfo");
  EXPECT_TRUE(waitFor([this] { return parts().bar->dtypes().isVisible(); }));
  parts().bar->dtypes().setCurrentText("float32");
  emit parts().bar->dtypes().activated(parts().bar->dtypes().currentIndex());
  EXPECT_EQ(parts().bar->request().suite, "opinfo");
  EXPECT_EQ(parts().bar->request().dtype, "float32");
  close();
  open();
  ASSERT_TRUE(waitFor([this] { return parts().bar->dtypes().isVisible(); }));
  EXPECT_EQ(parts().bar->request().suite, "opinfo");
  EXPECT_EQ(parts().bar->request().dtype, "float32");
  suiteBox().choose("smoke");
  EXPECT_TRUE(waitFor([this] { return !parts().bar->dtypes().isVisible(); }));
}

TEST_F(RunOptionsTest, AFileIsASuiteAndStaysChosen) {
  open();
  waitForSuites();
  const QString file =
      writeFile("mine.txt", "Operator: aten.relu.default\ncnt: 2, ((T([5, 5], f32),), {})\n");
  parts().bar->setSuiteFile(file);
  EXPECT_EQ(suiteBox().currentText(), "mine.txt");
  edit("relu.cpp", test::fakeKernel());
  EXPECT_EQ(run().report->suite, "mine.txt");
  close();
  open();
  waitForSuites();
  EXPECT_EQ(parts().bar->request().suite, file.toStdString());
}

TEST_F(RunOptionsTest, FileAsksForOneAndLeavesTheChoiceMeanwhile) {
  open();
  waitForSuites();
  bool asked = false;
  QObject::disconnect(&suiteBox(), &SuiteBox::fileWanted, nullptr, nullptr);
  QObject::connect(&suiteBox(), &SuiteBox::fileWanted, [&] { asked = true; });
  const int last = suiteBox().count() - 1;
  suiteBox().setCurrentIndex(last);
  emit suiteBox().activated(last);
  EXPECT_TRUE(asked);
  EXPECT_EQ(suiteBox().chosen(), "smoke");
}

TEST_F(RunOptionsTest, CasesBesideTheKernelAreTheKernelsFiles) {
  writeFile("relu.cases.txt", "Operator: aten.relu.default\ncnt: 1, ((T([3], f32),), {})\n");
  open({writeFile("relu.cpp", test::fakeKernel().toUtf8())});
  chooseSuite("beside");
  EXPECT_EQ(run().report->suite, "relu.cases.txt");
}

TEST_F(RunOptionsTest, ABrokenTraceNamesItsLine) {
  open();
  edit("relu.cpp", test::fakeKernel());
  parts().bar->setSuiteFile(
      writeFile("bad.txt", "Operator: aten.relu.default\ncnt: 1, ((T([5, f32),), {})\n"));
  press(Qt::Key_F5);
  ASSERT_TRUE(waitFor([this] { return !parts().banner->text().isEmpty(); }));
  EXPECT_TRUE(parts().banner->text().contains("bad.txt:2:")) << parts().banner->text().toStdString();
}

// A Python that never answers stands in for the half minute that making opinfo takes.
TEST_F(RunOptionsTest, MakingASuiteIsToldAndCanBeCancelled) {
  const QString slow = writeFile("python", "#!/bin/sh\necho 'progress 3 7'\nsleep 100\n");
  QFile::setPermissions(slow, QFile::ReadOwner | QFile::ExeOwner);
  const QString site = "lib/python3.11/site-packages/torch";
  ASSERT_TRUE(QDir(folder()).mkpath("env/bin") && QDir(folder()).mkpath("env/" + site));
  ASSERT_TRUE(QFile::rename(slow, folder() + "/env/bin/python"));
  writeFile("env/" + site + "/version.py", "__version__ = '2.11.0'\n");
  open();
  edit("relu.cpp", test::fakeKernel());
  settings_->setText("python/path", folder() + "/env/bin/python");
  chooseSuite("opinfo");
  press(Qt::Key_F5);
  EXPECT_TRUE(waitFor([this] { return parts().status->progressText().contains("3 of 7"); }))
      << parts().status->progressText().toStdString();
  EXPECT_TRUE(window().controller().running());
  // The worker starts meanwhile, which must not hide how far the suite is.
  EXPECT_TRUE(
      waitFor([this] { return window().controller().status().state != WorkerStatus::State::starting; }));
  EXPECT_TRUE(parts().status->progressText().contains("3 of 7"))
      << parts().status->progressText().toStdString();
  action("run.cancel")->trigger();
  EXPECT_FALSE(window().controller().running());
  EXPECT_TRUE(waitFor([this] { return parts().status->progressText().isEmpty(); }));
  EXPECT_TRUE(parts().banner->text().isEmpty());
  suiteBox().choose("smoke");
  EXPECT_EQ(run().report->outcome, Outcome::finished);
}

TEST_F(RunOptionsTest, CheckingEndsUpInTheJobAndIsRemembered) {
  open();
  CheckingButton& button = parts().bar->checking();
  EXPECT_EQ(button.text(), "Checking");
  edit("relu.cpp", test::fakeKernel());
  EXPECT_EQ(run().report->tolerance, Tolerance{});
  button.open();
  EXPECT_TRUE(button.panel().isVisible());
  screenshot(button.panel(), "checking");
  button.setPreset("given");
  button.rtol().setText("0.25");
  emit button.rtol().textEdited("0.25");
  button.repeat().setChecked(false);
  button.oracle().setChecked(true);
  button.panel().hide();
  EXPECT_EQ(button.text(), "Checking: own bounds");
  const auto report = run().report;
  EXPECT_EQ(report->tolerance.preset, "given");
  EXPECT_EQ(report->tolerance.rtol, 0.25);
  EXPECT_FALSE(report->checking.repeat);
  EXPECT_TRUE(report->checking.oracle);
  close();
  open();
  EXPECT_EQ(parts().bar->request().tolerance.rtol, 0.25);
  EXPECT_TRUE(parts().bar->request().checking.oracle);
  parts().bar->checking().setPreset("strict");
  EXPECT_FALSE(parts().bar->checking().rtol().isEnabled());
  EXPECT_EQ(parts().bar->request().tolerance, (Tolerance{"strict", 0, 0}));
}

}  // namespace
}  // namespace wb
