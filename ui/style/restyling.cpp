// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/restyling.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QStyle>
#include <utility>

namespace wb {
namespace {

/// In milliseconds, of the 16 between two pictures of a screen.
constexpr int perTurn = 6;

}  // namespace

Restyling::Restyling(QApplication& application) : application_(application) {
  turn_.setSingleShot(true);
  turn_.setInterval(0);
  connect(&turn_, &QTimer::timeout, this, &Restyling::goOn);
}

void Restyling::begin(const QPalette& palette, const QString& sheet) {
  widgets_.clear();
  next_ = 0;
  for (QWidget* window : QApplication::topLevelWidgets()) {
    if (window->isVisible()) hold(*window);
    addTree(*window);
  }
  // The style of sheets would polish every widget it knows in one go, and each once more for each of its
  // ancestors. Without its caches it knows none.
  if (!application_.styleSheet().isEmpty()) application_.style()->unpolish(&application_);
  application_.setStyleSheet(sheet);
  application_.setPalette(palette);
  turn_.start();
}

// Parents come first: their colours go on to their children.
void Restyling::addTree(QWidget& widget) {
  // Others take the new sheet when they are shown for the first time.
  if (widget.testAttribute(Qt::WA_WState_Polished)) widgets_.emplace_back(&widget);
  for (QObject* child : widget.children())
    if (child->isWidgetType() && !static_cast<QWidget*>(child)->isWindow())
      addTree(*static_cast<QWidget*>(child));
}

void Restyling::hold(QWidget& window) {
  if (!window.updatesEnabled()) return;
  window.setUpdatesEnabled(false);
  held_.emplace_back(&window);
}

// Painting has a turn of its own.
void Restyling::goOn() {
  if (next_ == widgets_.size()) return release();
  QElapsedTimer since;
  since.start();
  while (next_ < widgets_.size() && since.elapsed() < perTurn)
    if (QWidget* widget = widgets_[next_++]) widget->style()->polish(widget);
  turn_.start();
}

void Restyling::release() {
  for (const QPointer<QWidget>& window : std::exchange(held_, {})) {
    if (!window) continue;
    window->setUpdatesEnabled(true);
    // Where all of a window waited to be painted before, Qt has dropped that request and takes no second one.
    window->repaint();
  }
  widgets_.clear();
  next_ = 0;
}

}  // namespace wb
