// SPDX-License-Identifier: GPL-3.0-or-later
// A monkey at the keyboard and the mouse. WARPBENCH_MONKEY=100000 says how many inputs, and
// WARPBENCH_MONKEY_SEED=7 which.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"

namespace wb {
namespace {

class Monkey {
 public:
  Monkey(MainWindow& window, unsigned seed) : window_(window), random_(seed) {}

  void act() {
    switch (upTo(10)) {
      case 0:
      case 1:
      case 2:
        return pressKey();
      case 3:
        return trigger();
      case 4:
      case 5:
        return click();
      case 6:
        return turnWheel();
      case 7:
        return resize();
      default:
        return type();
    }
  }

 private:
  int upTo(int bound) { return int(random_() % unsigned(bound)); }

  // Where inputs go: what is in front.
  QWidget* target() {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup;
    if (QWidget* modal = QApplication::activeModalWidget())
      return modal->focusWidget() ? modal->focusWidget() : modal;
    return QApplication::focusWidget() ? QApplication::focusWidget() : &window_;
  }

  void pressKey() {
    constexpr Qt::Key keys[] = {
        Qt::Key_Tab,    Qt::Key_Backtab,  Qt::Key_Return, Qt::Key_Escape, Qt::Key_Space, Qt::Key_Up,
        Qt::Key_Down,   Qt::Key_Left,     Qt::Key_Right,  Qt::Key_Home,   Qt::Key_End,   Qt::Key_PageUp,
        Qt::Key_Delete, Qt::Key_F3,       Qt::Key_F5,     Qt::Key_F8,     Qt::Key_F,     Qt::Key_Z,
        Qt::Key_Y,      Qt::Key_D,        Qt::Key_Slash,  Qt::Key_1,      Qt::Key_2,     Qt::Key_3,
        Qt::Key_0,      Qt::Key_Backspace};
    constexpr Qt::KeyboardModifiers::Int modifiers[] = {0,
                                                        0,
                                                        0,
                                                        Qt::ShiftModifier,
                                                        Qt::ControlModifier,
                                                        Qt::ControlModifier | Qt::ShiftModifier,
                                                        Qt::AltModifier};
    const Qt::Key key = keys[upTo(int(std::size(keys)))];
    const auto with = Qt::KeyboardModifiers::fromInt(modifiers[upTo(int(std::size(modifiers)))]);
    QTest::keyClick(target(), key, with);
  }

  void type() { QTest::keyClick(target(), char(32 + upTo(95))); }

  // Native dialogs and the end of the program are beyond what a test can answer.
  void trigger() {
    static const QStringList never{"file.quit",      "file.open",   "file.saveAs",
                                   "report.compare", "report.open", "run.suiteFile",
                                   "file.saveAll",   "file.save",   "edit.goToLine"};
    QList<QAction*> may;
    for (QAction* action : window_.actions())
      if (action->isEnabled() && !action->objectName().isEmpty() && !never.contains(action->objectName()) &&
          !action->objectName().startsWith(QLatin1String("run.sanitize")))
        may.push_back(action);
    if (!may.isEmpty() && !QApplication::activeModalWidget()) may[upTo(int(may.size()))]->trigger();
  }

  void click() {
    QWidget* root = QApplication::activePopupWidget();
    if (!root) root = QApplication::activeModalWidget();
    if (!root) root = &window_;
    const QPoint at(upTo(std::max(1, root->width())), upTo(std::max(1, root->height())));
    QWidget* child = root->childAt(at);
    QWidget* hit = child ? child : root;
    // A button whose dialog is the platform's own cannot be answered here.
    if (hit->property("text").toString().endsWith(QStringLiteral("…"))) return;
    const QPoint inside = hit->mapFrom(root, at);
    if (upTo(5) == 0)
      QTest::mouseDClick(hit, Qt::LeftButton, {}, inside);
    else
      QTest::mouseClick(hit, upTo(12) == 0 ? Qt::MiddleButton : Qt::LeftButton, {}, inside);
  }

  void turnWheel() {
    const QPoint at(upTo(std::max(1, window_.width())), upTo(std::max(1, window_.height())));
    QWidget* hit = window_.childAt(at);
    if (!hit) return;
    QWheelEvent event(QPointF(hit->mapFrom(&window_, at)), QPointF(window_.mapToGlobal(at)), {},
                      QPoint(0, upTo(2) ? 120 : -120), Qt::NoButton,
                      upTo(4) ? Qt::NoModifier : Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(hit, &event);
  }

  void resize() { window_.resize(500 + upTo(1300), 400 + upTo(800)); }

  MainWindow& window_;
  std::mt19937 random_;
};

class MonkeyTest : public test::WindowTest {};

TEST_F(MonkeyTest, NothingBreaksWhateverIsPressed) {
  const int inputs =
      qEnvironmentVariableIsSet("WARPBENCH_MONKEY") ? qEnvironmentVariableIntValue("WARPBENCH_MONKEY") : 2000;
  const int seed = qEnvironmentVariableIsSet("WARPBENCH_MONKEY_SEED")
                       ? qEnvironmentVariableIntValue("WARPBENCH_MONKEY_SEED")
                       : 1;
  std::printf("[ monkey   ] %d inputs, seed %d\n", inputs, seed);
  open();
  window().resize(1440, 900);
  edit("relu.cpp", test::fakeKernel());
  saveAsFile_ = folder() + "/monkey.cpp";
  // Such boxes run a loop of their own; whatever is asked there is answered with its way out.
  QTimer closer;
  QObject::connect(&closer, &QTimer::timeout, [] {
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (qobject_cast<QMessageBox*>(dialog) || qobject_cast<QInputDialog*>(dialog) ||
        qobject_cast<QFileDialog*>(dialog))
      dialog->reject();
  });
  closer.start(20);
  Monkey monkey(window(), unsigned(seed));
  for (int i = 0; i < inputs; ++i) {
    monkey.act();
    if (i % 8 == 0) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    if (!window().isVisible()) {  // it was closed; the texts are in the journal
      close();
      open();
      FAIL() << "the window closed at input " << i << " although nothing may close it";
    }
  }
  window().controller().cancel();
  EXPECT_TRUE(window().isVisible());
  EXPECT_LT(parts().tabs->count(), 500);
}

}  // namespace
}  // namespace wb
