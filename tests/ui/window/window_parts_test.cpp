// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>

#include "core/report/exporters.h"
#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/new_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/editing/find_bar.h"
#include "ui/results/cards_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_bar.h"
#include "ui/style/icon.h"
#include "ui/window/actions.h"
#include "ui/window/command_palette.h"
#include "ui/window/status_line.h"

namespace wb {
namespace {

class PartsTest : public test::WindowTest {
 protected:
  template <class T>
  T* dialog() {
    T* found = nullptr;
    EXPECT_TRUE(waitFor([&] { return (found = window().findChild<T*>()) && found->isVisible(); }));
    return found;
  }
};

TEST_F(PartsTest, EveryCommandHasACategoryAnIdOfItsOwnAndAnIconThatExists) {
  open();
  QSet<QString> ids, keys;
  for (const QAction* action : window().actions()) {
    EXPECT_FALSE(action->objectName().isEmpty()) << action->text().toStdString();
    EXPECT_FALSE(ids.contains(action->objectName())) << action->objectName().toStdString();
    ids.insert(action->objectName());
    EXPECT_FALSE(categoryOf(*action).isEmpty()) << action->objectName().toStdString();
    // An icon that was given but whose file is missing draws nothing.
    const bool missing = !action->icon().name().isEmpty() && action->icon().pixmap(16).isNull();
    EXPECT_FALSE(missing) << action->objectName().toStdString();
    for (const QKeySequence& key : action->shortcuts()) {
      EXPECT_FALSE(keys.contains(key.toString())) << key.toString().toStdString() << " twice";
      keys.insert(key.toString());
    }
  }
  EXPECT_GT(ids.size(), 25);
}

TEST_F(PartsTest, EveryFocusableWidgetHasANameForAssistiveTechnology) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  parts().find->showReplace();
  window().palettePopup().open();
  action("file.new")->trigger();
  dialog<NewDialog>();
  window().exportReport();
  dialog<ExportDialog>();
  for (QWidget* widget : QApplication::allWidgets()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QMenu")) continue;
    // Parts of composite widgets are reached through their whole.
    if (widget->objectName().startsWith("qt_") || widget->inherits("QComboBoxPrivateContainer") ||
        (widget->parentWidget() && widget->parentWidget()->inherits("QComboBox")) || widget->focusProxy())
      continue;
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    ASSERT_NE(face, nullptr);
    EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
        << widget->metaObject()->className() << " \"" << widget->objectName().toStdString() << "\" in "
        << (widget->parentWidget() ? widget->parentWidget()->metaObject()->className() : "nothing");
  }
}

TEST_F(PartsTest, TheCommandPaletteFindsAndRunsACommand) {
  open();
  edit("a.cpp", "");
  const int before = parts().tabs->count();
  press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette& palette = window().palettePopup();
  ASSERT_TRUE(palette.isVisible());
  EXPECT_GT(palette.list().count(), 20);
  QTest::keyClicks(&palette.input(), "close tab");
  EXPECT_EQ(palette.list().item(0)->text(), "File: Close tab");
  QTest::keyClick(&palette.input(), Qt::Key_Return);
  EXPECT_FALSE(palette.isVisible());
  EXPECT_EQ(parts().tabs->count(), before - 1);
  press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QTest::keyClick(&palette.input(), Qt::Key_Escape);
  EXPECT_FALSE(palette.isVisible());
}

TEST_F(PartsTest, FindCountsMarksMissesAndReplaces) {
  open();
  Document* document = edit("a.cpp", "int a; int A; int ab;\n");
  press(Qt::Key_F, Qt::ControlModifier);
  auto* field = parts().find->findChild<QLineEdit*>();
  ASSERT_TRUE(parts().find->isVisible());
  QTest::keyClicks(field, "a");
  EXPECT_EQ(parts().find->countText(), "1 of 3");
  QTest::keyClick(field, Qt::Key_C, Qt::AltModifier);
  EXPECT_EQ(parts().find->countText(), "1 of 2");
  QTest::keyClick(field, Qt::Key_W, Qt::AltModifier);
  EXPECT_EQ(parts().find->countText(), "1 of 1");
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(document->editor().selectedText(), "a");
  press(Qt::Key_H, Qt::ControlModifier);
  auto* replacement = parts().find->findChildren<QLineEdit*>()[1];
  QTest::keyClicks(replacement, "zz");
  QTest::keyClick(replacement, Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_EQ(document->text(), "int zz; int A; int ab;\n");
  field->setText("nowhere");
  EXPECT_EQ(parts().find->countText(), "no matches");
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_FALSE(parts().find->isVisible());
}

TEST_F(PartsTest, ExportWritesEveryFormatAndTellsWhatWentWrong) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  window().exportReport();
  auto* chooser = dialog<ExportDialog>();
  QStringList written;
  int failures = 0;
  QObject::connect(chooser, &ExportDialog::written, [&](const QString& file) { written.push_back(file); });
  QObject::connect(chooser, &ExportDialog::failed, [&] { ++failures; });
  ASSERT_EQ(chooser->format().count(), int(exporters().size()) - 1);  // there is no timeline to write
  for (int i = 0; i < chooser->format().count(); ++i) {
    chooser->format().setCurrentIndex(i);
    chooser->file().setText(folder() + "/out/report" + chooser->format().currentData().toString());
    QTest::mouseClick(&chooser->exportButton(), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return written.size() == i + 1 || failures > 0; }))
        << chooser->message().toStdString();
    EXPECT_GT(readFile(written.value(i)).size(), 50) << chooser->message().toStdString();
  }
  chooser->file().setText(writeFile("file", "") + "/below/report.html");
  QTest::mouseClick(&chooser->exportButton(), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return failures == 1; }));
  EXPECT_EQ(settings_->text("export/folder"), folder() + "/out");
}

TEST_F(PartsTest, ThemesSwitchLiveAndAreRemembered) {
  open();
  edit("relu.cpp", test::fakeKernel());
  run();
  const auto colour = [this] { return window().grab().toImage().pixelColor(5, window().height() / 2); };
  const QColor dark = colour();
  press(Qt::Key_T, Qt::ControlModifier | Qt::AltModifier);
  const auto isSettled = [this] { return appearance_->isSettled(); };
  ASSERT_TRUE(waitFor(isSettled));
  EXPECT_GT(colour().lightness(), dark.lightness() + 100);
  EXPECT_EQ(settings_->theme(), ThemeChoice::light);
  EXPECT_TRUE(action("view.theme.light")->isChecked());
  action("view.theme.dark")->trigger();
  ASSERT_TRUE(waitFor(isSettled));
  EXPECT_EQ(colour(), dark);
  // What is coloured by meaning takes the new theme's colours.
  std::vector<Card> cards = parts().results->cards().cards().cards;
  std::erase_if(cards, [](const Card& card) { return card.isAside; });
  const auto values = parts().results->cards().findChildren<QLabel*>("cardValue");
  ASSERT_EQ(values.size(), int(cards.size()));
  for (int i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i]->palette().color(QPalette::WindowText),
              toneColor(darkTheme(), cards[size_t(i)].tone));
  // The run changed the actions: the button's picture stays the one that fits its blue.
  EXPECT_EQ(parts().bar->runButton().icon().pixmap(16).toImage(),
            icon("play-fill", IconTone::onAccent).pixmap(16).toImage());
}

TEST_F(PartsTest, NoMessageOfARunMakesTheWindowWider) {
  open();
  window().resize(1024, 700);
  parts().status->setProgress(QString(400, 'w'), 0.5, true);
  window().grab();
  EXPECT_LE(parts().status->minimumSizeHint().width(), 1024);
  EXPECT_EQ(window().width(), 1024);
}

TEST_F(PartsTest, HelpPagesAndAboutOpen) {
  open();
  ASSERT_TRUE(waitFor([this] { return action("help.getting-started") != nullptr; }));
  press(Qt::Key_F1);
  QTextBrowser* browser = nullptr;
  ASSERT_TRUE(waitFor([&] {
    return (browser = window().findChild<QTextBrowser*>("helpPage")) && !browser->toPlainText().isEmpty();
  }));
  screenshot(*browser->window(), "help");
  action("help.about")->trigger();
  auto* about = window().findChild<QDialog*>("about");
  ASSERT_NE(about, nullptr);
  screenshot(*about, "about");
  for (const QLabel* label : about->findChildren<QLabel*>())
    EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
  // There is one of each, however often it is asked for.
  action("help.about")->trigger();
  EXPECT_EQ(window().findChildren<QDialog*>("about").size(), 1);
  const QString first = browser->toPlainText();
  action("help.editing")->trigger();
  EXPECT_TRUE(waitFor([&] { return browser->toPlainText() != first; }));
  EXPECT_EQ(window().findChildren<QTextBrowser*>("helpPage").size(), 1);
}

}  // namespace
}  // namespace wb
