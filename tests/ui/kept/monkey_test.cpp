// SPDX-License-Identifier: GPL-3.0-or-later
// A monkey at the keyboard and the mouse. WARPBENCH_MONKEY=100000 says how many inputs,
// WARPBENCH_MONKEY_SEED=7 which, WARPBENCH_MONKEY_TELL=1 prints each before it is made, and
// WARPBENCH_MONKEY_WATCH=1000 what the process holds after each thousand.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QDrag>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QTimer>
#include <QUrl>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "tests/ui/kept/holdings.h"
#include "tests/ui/window_test.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"

namespace wb {
namespace {

class Monkey {
 public:
  /// It drops what is named here.
  Monkey(QStringList files, unsigned seed) : files_(std::move(files)), random_(seed) {}

  void act(MainWindow& window) {
    window_ = &window;
    ++inputs_;
    switch (upTo(14)) {
      case 0:
      case 1:
      case 2:
        return pressKey();
      case 3:
      case 4:
        return trigger();
      case 5:
      case 6:
        return click();
      case 7:
        return turnWheel();
      case 8:
        return upTo(4) == 0 ? resize() : openMenu();
      case 9:
        return drag();
      case 10:
        return upTo(4) == 0 ? drop() : click();
      default:
        return type();
    }
  }

  /// Boxes, menus and drags that run a loop of their own keep the monkey in one input; so they are left. What
  /// a dialog for files would write, and where, nobody can say.
  void leaveLoops() {
    const bool isStuck = std::exchange(inputsBefore_, inputs_) == inputs_;
    QWidget* modal = QApplication::activeModalWidget();
    if (auto* dialog = qobject_cast<QDialog*>(modal);
        dialog && (isStuck || qobject_cast<QFileDialog*>(modal)))
      dialog->reject();
    if (!isStuck) return;
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    QDrag::cancel();
  }

 private:
  int upTo(int bound) { return int(random_() % unsigned(std::max(1, bound))); }

  template <class... Words>
  void tell(const char* what, const Words&... words) {
    static const bool wanted = qEnvironmentVariableIsSet("WARPBENCH_MONKEY_TELL");
    if (!wanted) return;
    QStringList all;
    (all.push_back(QStringLiteral("%1").arg(words)), ...);
    std::fprintf(stderr, "%d %s %s\n", inputs_, what, qPrintable(all.join(QLatin1Char(' '))));
  }

  static QString nameOf(const QWidget& widget) {
    return QStringLiteral("%1/%2/%3")
        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(), widget.accessibleName());
  }

  /// Where keys go: to what is in front.
  QWidget* target() {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup;
    if (QWidget* modal = QApplication::activeModalWidget())
      return modal->focusWidget() ? modal->focusWidget() : modal;
    return QApplication::focusWidget() ? QApplication::focusWidget() : window_;
  }

  /// What is typed into the path of an export would be written anywhere.
  static bool isPath(const QWidget& widget) {
    return qobject_cast<const QLineEdit*>(&widget) && qobject_cast<const ExportDialog*>(widget.window());
  }

  void pressKey() {
    constexpr Qt::Key keys[] = {
        Qt::Key_Tab,   Qt::Key_Backtab, Qt::Key_Escape, Qt::Key_Return, Qt::Key_Space, Qt::Key_Up,
        Qt::Key_Down,  Qt::Key_Left,    Qt::Key_Right,  Qt::Key_Home,   Qt::Key_End,   Qt::Key_PageUp,
        Qt::Key_F3,    Qt::Key_F5,      Qt::Key_F8,     Qt::Key_F,      Qt::Key_Z,     Qt::Key_Y,
        Qt::Key_D,     Qt::Key_Slash,   Qt::Key_1,      Qt::Key_2,      Qt::Key_3,     Qt::Key_0,
        Qt::Key_W,     Qt::Key_Menu,    Qt::Key_A,      Qt::Key_C,      Qt::Key_V,     Qt::Key_Delete,
        Qt::Key_Minus, Qt::Key_Plus,    Qt::Key_T,      Qt::Key_P,      Qt::Key_F6,    Qt::Key_Backspace};
    constexpr Qt::KeyboardModifiers::Int modifiers[] = {0,
                                                        0,
                                                        0,
                                                        Qt::ShiftModifier,
                                                        Qt::ControlModifier,
                                                        Qt::ControlModifier | Qt::ShiftModifier,
                                                        Qt::AltModifier};
    QWidget* to = target();
    const int bound = isPath(*to) ? 3 : int(std::size(keys));
    const Qt::Key key = keys[upTo(bound)];
    const auto with = Qt::KeyboardModifiers::fromInt(modifiers[upTo(int(std::size(modifiers)))]);
    tell("key", nameOf(*to), int(key), with.toInt());
    QTest::keyClick(to, key, with);
  }

  void type() {
    QWidget* to = target();
    const char letter = char(32 + upTo(95));
    // A folder that is typed could be that of the whole machine.
    if (qobject_cast<QLineEdit*>(to) && (isPath(*to) || letter == '/')) return;
    tell("type", nameOf(*to), int(letter));
    QTest::keyClick(to, letter);
  }

  void trigger() {
    QList<QAction*> may;
    for (QAction* action : window_->actions())
      if (action->isEnabled() && !action->objectName().isEmpty() &&
          action->objectName() != QLatin1String("file.quit"))
        may.push_back(action);
    if (may.isEmpty() || QApplication::activeModalWidget()) return;
    QAction* chosen = may[upTo(int(may.size()))];
    tell("action", chosen->objectName());
    chosen->trigger();
  }

  QWidget* root() {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup;
    if (QWidget* modal = QApplication::activeModalWidget()) return modal;
    return window_;
  }

  struct Place {
    QWidget* widget = nullptr;
    QPoint at;
  };
  Place place() {
    QWidget* under = root();
    const QPoint at(upTo(under->width()), upTo(under->height()));
    QWidget* child = under->childAt(at);
    return child ? Place{child, child->mapFrom(under, at)} : Place{under, at};
  }

  void click() {
    const auto [widget, at] = place();
    tell("click", nameOf(*widget), at.x(), at.y());
    const QPointer<QWidget> stays(widget);
    if (upTo(5) == 0)
      QTest::mouseDClick(stays, Qt::LeftButton, {}, at);
    else
      QTest::mouseClick(stays, upTo(12) == 0 ? Qt::MiddleButton : Qt::LeftButton, {}, at);
  }

  void openMenu() {
    const auto [widget, at] = place();
    tell("menu", nameOf(*widget), at.x(), at.y());
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &event);
  }

  void drag() {
    const auto [widget, at] = place();
    const QPointer<QWidget> stays(widget);
    const QPoint by(upTo(300) - 150, upTo(300) - 150);
    tell("drag", nameOf(*widget), at.x(), at.y(), by.x(), by.y());
    QTest::mousePress(stays, Qt::LeftButton, {}, at);
    for (int step = 1; step <= 3 && stays; ++step) {
      const QPoint to = at + by * step / 3;
      QMouseEvent move(QEvent::MouseMove, to, stays->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(stays, &move);
    }
    if (stays) QTest::mouseRelease(stays, Qt::LeftButton, {}, at + by);
  }

  void drop() {
    if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) return;
    const auto [widget, at] = place();
    QMimeData data;
    const int which = upTo(int(files_.size()) + 1);
    if (which < files_.size())
      data.setUrls({QUrl::fromLocalFile(files_[which])});
    else
      data.setText(QStringLiteral("dropped"));
    tell("drop", nameOf(*widget), which);
    for (QWidget* to = widget; to; to = to->isWindow() ? nullptr : to->parentWidget()) {
      if (!to->acceptDrops()) continue;
      const QPoint inside = to->mapFromGlobal(widget->mapToGlobal(at));
      QDragEnterEvent enter(inside, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(to, &enter);
      if (!enter.isAccepted()) continue;
      QDropEvent event(inside, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(to, &event);
      return;
    }
  }

  void turnWheel() {
    const auto [widget, at] = place();
    tell("wheel", nameOf(*widget), at.x(), at.y());
    QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, upTo(2) ? 120 : -120), Qt::NoButton,
                      upTo(4) ? Qt::NoModifier : Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
  }

  void resize() {
    const QSize to(500 + upTo(1300), 400 + upTo(800));
    tell("resize", to.width(), to.height());
    window_->resize(to);
  }

  MainWindow* window_ = nullptr;
  QStringList files_;
  std::mt19937 random_;
  int inputs_ = 0, inputsBefore_ = -1;
};

int numberIn(const char* variable, int standard) {
  return qEnvironmentVariableIsSet(variable) ? qEnvironmentVariableIntValue(variable) : standard;
}

/// What is written by a relative path, or into the user's folder, stays in the test's own one.
class MonkeyTest : public test::WindowTest {
 protected:
  void SetUp() override {
    test::WindowTest::SetUp();
    folderBefore_ = QDir::currentPath();
    homeBefore_ = qgetenv("HOME");
    QDir::setCurrent(folder());
    qputenv("HOME", folder().toUtf8());
  }
  void TearDown() override {
    test::WindowTest::TearDown();
    QDir::setCurrent(folderBefore_);
    qputenv("HOME", homeBefore_);
  }

 private:
  QString folderBefore_;
  QByteArray homeBefore_;
};

TEST_F(MonkeyTest, NothingBreaksWhateverIsPressed) {
  const int inputs = numberIn("WARPBENCH_MONKEY", 2000), seed = numberIn("WARPBENCH_MONKEY_SEED", 1);
  std::printf("[ monkey   ] %d inputs, seed %d\n", inputs, seed);
  saveAsFile_ = folder() + "/monkey.cpp";
  Monkey monkey(
      {writeFile("kernel.cu", "__global__ void f() {}\n"), writeFile("k.py", "import torch\n"),
       writeFile("bytes.cpp", QByteArray("\x7f\x45\0\xff\xfe", 5)), folder(), folder() + "/is-not-there.cpp"},
      unsigned(seed));
  QTimer leaver;
  QObject::connect(&leaver, &QTimer::timeout, [&monkey] { monkey.leaveLoops(); });
  leaver.start(20);
  const int lives = 2, watched = numberIn("WARPBENCH_MONKEY_WATCH", 0);
  test::Holdings holdings;
  for (int life = 0; life < lives; ++life) {
    open();                                  // the second time with what the first one left
    action("file.quit")->setEnabled(false);  // the list of commands has it too
    if (life == 0) {
      window().resize(1440, 900);
      edit("relu.cpp", test::fakeKernel());
    }
    for (int i = 0; i < inputs / lives; ++i) {
      monkey.act(window());
      if (i % 8 == 0) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        // What a command has closed goes in the window's own loop; here is none around it.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      }
      if (watched > 0 && i % watched == watched - 1)
        holdings.print(life * (inputs / lives) + i + 1, parts().tabs->count());
      ASSERT_TRUE(window().isVisible()) << "nothing that the monkey does may close the window: input " << i;
    }
    EXPECT_LT(parts().tabs->count(), 500);
    // A menu that is open belongs to the window that goes.
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    window().controller().cancel();
    close();
  }
}

}  // namespace
}  // namespace wb
