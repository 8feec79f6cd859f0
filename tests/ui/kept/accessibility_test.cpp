// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever has no mouse, or does not see, reaches and hears everything.
#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QImage>
#include <QPointer>
#include <QScrollBar>
#include <QSet>
#include <QTabWidget>

#include "tests/ui/window_test.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/new_dialog.h"
#include "ui/diff/conflict_dialog.h"
#include "ui/doctor/doctor_page.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/results/run_figures.h"
#include "ui/settings/setting_list.h"
#include "ui/settings/settings_page.h"
#include "ui/style/style.h"

namespace wb {
namespace {

class AccessibilityTest : public test::WindowTest {
 protected:
  static QString describe(const QWidget& widget) {
    QStringList path;
    for (const QWidget* at = &widget; at; at = at->parentWidget())
      path.push_front(QString::fromLatin1(at->metaObject()->className()) +
                      (at->objectName().isEmpty() ? QString() : "#" + at->objectName()));
    return path.mid(std::max(qsizetype(0), path.size() - 4)).join(" > ");
  }
  /// The widgets that take the focus by Tab, as a user finds them.
  static QList<QWidget*> focusable(QWidget& root) {
    QList<QWidget*> found;
    for (QWidget* widget : root.findChildren<QWidget*>())
      if (widget->isVisibleTo(&root) && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
          !widget->focusProxy() && widget->window() == root.window() && !qobject_cast<QScrollBar*>(widget) &&
          widget->objectName() != QLatin1String("qt_spinbox_lineedit") &&
          !(qobject_cast<QLineEdit*>(widget) && widget->parentWidget()->focusProxy() == widget))
        found.push_back(widget);
    return found;
  }
  static void expectNames(QWidget& root) {
    for (QWidget* widget : focusable(root)) {
      QAccessibleInterface* said = QAccessible::queryAccessibleInterface(widget);
      ASSERT_NE(said, nullptr);
      EXPECT_FALSE(said->text(QAccessible::Name).trimmed().isEmpty()) << describe(*widget).toStdString();
    }
  }
  /// Whatever takes the keys looks otherwise then.
  static void expectFocusSeen(QWidget& root) {
    root.window()->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(root.window()));
    const QList<QWidget*> all = focusable(root);
    for (const QPointer<QWidget>& widget : QList<QPointer<QWidget>>(all.begin(), all.end())) {
      if (QWidget* other = QApplication::focusWidget()) other->clearFocus();
      QCoreApplication::processEvents();
      if (!widget || widget->size().isEmpty() || !widget->isVisible()) continue;
      const QImage without = widget->grab().toImage();
      widget->setFocus(Qt::TabFocusReason);
      EXPECT_TRUE(widget->grab().toImage() != without)
          << "no focus is seen: " << describe(*widget).toStdString();
    }
  }
  /// Presses Tab until it has been everywhere, and says where it never came.
  static void expectReached(QWidget& root) {
    const QList<QWidget*> wanted = focusable(root);
    ASSERT_FALSE(wanted.isEmpty());
    root.window()->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(root.window()));
    wanted.first()->setFocus(Qt::TabFocusReason);
    ASSERT_TRUE(QApplication::focusWidget());
    QSet<QWidget*> reached;
    for (qsizetype i = 0; i < 4 * wanted.size() + 20; ++i) {
      QWidget* at = QApplication::focusWidget();
      if (!at) break;
      reached.insert(at);
      QTest::keyClick(at, Qt::Key_Tab);
      if (QApplication::focusWidget() == at) {
        // A text keeps the key; whoever is in it leaves by Ctrl+1, 2 or 3.
        QWidget* next = at->nextInFocusChain();
        while (next != at && !wanted.contains(next)) next = next->nextInFocusChain();
        next->setFocus(Qt::TabFocusReason);
      }
    }
    for (QWidget* widget : wanted)
      EXPECT_TRUE(reached.contains(widget) ||
                  std::ranges::any_of(widget->findChildren<QWidget*>(),
                                      [&](QWidget* child) { return reached.contains(child); }))
          << "Tab never reaches " << describe(*widget).toStdString();
  }
};

TEST_F(AccessibilityTest, EverythingInTheWindowHasANameAndIsReached) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel());
  run();
  expectNames(window());
  expectReached(window());
}

TEST_F(AccessibilityTest, WhereTheKeyboardIsCanBeSeenInBothThemes) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel());
  run();
  for (int theme = 0; theme < 2; ++theme) {
    for (QTabWidget* tabs : window().findChildren<QTabWidget*>())
      for (int i = 0; i < tabs->count(); ++i) {
        if (!tabs->isTabVisible(i)) continue;
        const int before = tabs->currentIndex();
        tabs->setCurrentIndex(i);
        expectFocusSeen(window());
        tabs->setCurrentIndex(before);
      }
    const QList<SettingChoice> devices{{QStringLiteral("cpu"), QStringLiteral("CPU")}};
    SettingsPage page(*settings_, window().actions(), devices);
    page.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&page));
    expectFocusSeen(page);
    toggleTheme();
  }
}

TEST_F(AccessibilityTest, EveryPageOfTheResultsHasNames) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel());
  run();
  for (QTabWidget* tabs : window().findChildren<QTabWidget*>())
    for (int i = 0; i < tabs->count(); ++i) {
      const int before = tabs->currentIndex();
      tabs->setCurrentIndex(i);
      expectNames(window());
      tabs->setCurrentIndex(before);
    }
}

TEST_F(AccessibilityTest, DialogsAreNamedAndReached) {
  open();
  edit("relu.cpp", test::fakeKernel());
  const std::shared_ptr<const Report> report = run().report;
  const auto check = [](QDialog& dialog) {
    dialog.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog));
    dialog.activateWindow();
    ASSERT_TRUE(waitFor([&] { return QApplication::activeWindow() == &dialog; }));
    expectNames(dialog);
    expectReached(dialog);
  };
  {
    const QList<SettingChoice> devices{{QStringLiteral("cpu"), QStringLiteral("CPU")}};
    SettingsPage page(*settings_, window().actions(), devices);
    check(page);
  }
  {
    DoctorPage page;
    check(page);
    ASSERT_TRUE(waitFor([&] { return !page.isLooking(); }));
    EXPECT_FALSE(page.conclusionText().isEmpty());
    screenshot(page, "doctor");
  }
  {
    ExportDialog dialog(report, *settings_);
    check(dialog);
  }
  {
    ConflictDialog dialog("a.cpp", "a\n", "b\n");
    check(dialog);
  }
}

TEST_F(AccessibilityTest, EveryCommandHasWordsAndNoTwoHaveTheSameKeys) {
  open();
  QHash<QString, QString> owners;
  for (const QAction* action : window().actions()) {
    if (action->objectName().isEmpty()) continue;
    EXPECT_FALSE(action->text().isEmpty()) << action->objectName().toStdString();
    const QString keys = action->shortcut().toString();
    if (keys.isEmpty()) continue;
    EXPECT_FALSE(owners.contains(keys)) << keys.toStdString() << ": " << owners[keys].toStdString() << " and "
                                        << action->objectName().toStdString();
    owners[keys] = action->objectName();
  }
}

}  // namespace
}  // namespace wb
