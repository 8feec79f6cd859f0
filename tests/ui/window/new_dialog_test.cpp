// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/new_dialog.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QTextEdit>

#include "core/model/operators/catalogue.h"
#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/run/run_bar.h"
#include "ui/run/suite_box.h"

namespace wb {
namespace {

/// Writes a catalogue of a few operators to a cache of the test's own.
class NewDialogTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    before_ = qgetenv("WARPBENCH_CACHE");
    qputenv("WARPBENCH_CACHE", cache_.path().toUtf8());
    const Catalogue catalogue{
        "2.11.0",
        {{"aten::gelu", "aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor", true},
         {"aten::relu", "aten::relu(Tensor self) -> Tensor", true},
         {"aten::rot90", "aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", false},
         {"quantized::relu6", "quantized::relu6(Tensor qX, bool inplace=False) -> Tensor", false}}};
    ASSERT_TRUE(writeCatalogue(catalogue));
  }
  void TearDown() override {
    WindowTest::TearDown();
    if (before_.isEmpty())
      qunsetenv("WARPBENCH_CACHE");
    else
      qputenv("WARPBENCH_CACHE", before_);
  }
  NewDialog& openDialog() {
    open();
    press(Qt::Key_N, Qt::ControlModifier);
    NewDialog* made = nullptr;
    EXPECT_TRUE(waitFor([&] {
      made = window().findChild<NewDialog*>();
      return made && made->isVisible() && made->chosen();
    }));
    return *made;
  }

  QTemporaryDir cache_;
  QByteArray before_;
};

TEST_F(NewDialogTest, AnOperatorAndALanguageGiveAKernelByKeyboardAlone) {
  NewDialog& dialog = openDialog();
  EXPECT_TRUE(dialog.search().hasFocus());
  EXPECT_EQ(dialog.chosen()->file, "relu.cpp") << "everyday operators first";
  QTest::keyClicks(&dialog.search(), "gelu");
  EXPECT_EQ(dialog.chosen()->file, "gelu.cpp");
  EXPECT_EQ(dialog.chosen()->suite, "smoke");
  screenshot(dialog, "new-dialog");
  dialog.languageBox().setFocus();
  QTest::keyClicks(&dialog.languageBox(), "Tri");
  EXPECT_EQ(dialog.language(), "triton");
  EXPECT_EQ(dialog.chosen()->file, "gelu.py");
  EXPECT_EQ(dialog.preview().text(), dialog.chosen()->text);
  const QString text = dialog.chosen()->text;
  const int before = parts().tabs->count();
  dialog.search().setFocus();
  QTest::keyClick(&dialog.search(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return parts().tabs->count() == before + 1; }));
  EXPECT_EQ(parts().tabs->current()->text(), text);
  EXPECT_EQ(parts().tabs->current()->languageTitle(), "Triton");
  EXPECT_EQ(parts().bar->suites().chosen(), "smoke");
}

TEST_F(NewDialogTest, TheArrowKeysChooseWhileOneTypes) {
  NewDialog& dialog = openDialog();
  const QString first = dialog.chosen()->file;
  QTest::keyClick(&dialog.search(), Qt::Key_Down);
  EXPECT_NE(dialog.chosen()->file, first);
  QTest::keyClick(&dialog.search(), Qt::Key_Up);
  EXPECT_EQ(dialog.chosen()->file, first);
}

TEST_F(NewDialogTest, ForAnOperatorWithoutSmokeCasesTheSuiteIsOpinfo) {
  NewDialog& dialog = openDialog();
  QTest::keyClicks(&dialog.search(), "rot90");
  EXPECT_EQ(dialog.chosen()->suite, "opinfo");
  dialog.accept();
  EXPECT_EQ(parts().bar->suites().chosen(), "opinfo");
  EXPECT_EQ(parts().bar->request().op, "") << "the function's name says it";
  EXPECT_EQ(parts().bar->request().dtype, "auto")
      << "what the kernel's text is for, as the command line has it";
}

TEST_F(NewDialogTest, WhatTheNameCannotSayIsChosenForTheTab) {
  NewDialog& dialog = openDialog();
  QTest::keyClicks(&dialog.search(), "quantized relu6");
  ASSERT_TRUE(dialog.chosen());
  dialog.accept();
  EXPECT_EQ(parts().bar->request().op, "quantized::relu6");
}

TEST_F(NewDialogTest, SamplesAreFoundByTheSameFieldAndWhatFitsNothingSaysSo) {
  NewDialog& dialog = openDialog();
  QTest::keyClicks(&dialog.search(), "layer norm in C++");
  ASSERT_TRUE(dialog.chosen());
  EXPECT_EQ(dialog.chosen()->file, "layer_norm.cpp");
  EXPECT_FALSE(dialog.languageBox().isEnabled()) << "a sample has its language";
  EXPECT_FALSE(dialog.chosen()->text.contains("Title:"));
  QTest::keyClicks(&dialog.search(), " zzz");
  EXPECT_FALSE(dialog.chosen());
}

}  // namespace
}  // namespace wb
