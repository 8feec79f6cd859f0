// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QToolButton>
#include <algorithm>

#include "ui/settings/settings.h"
#include "ui/style/icon.h"

namespace wb {

/// A dock of whose width nobody has chosen a share takes so many pixels, where that is little more than half
/// of the window.
constexpr int usualLeast = 535;

Dock::Dock(const QString& id, const QString& title, QWidget* parent) : QDockWidget(title, parent) {
  setObjectName(id);
  setFeatures(DockWidgetMovable | DockWidgetClosable | DockWidgetFloatable);
  auto* bar = new QWidget;
  bar->setObjectName(QStringLiteral("dockTitle"));
  bar->setAttribute(Qt::WA_StyledBackground);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 4, 6, 4);
  auto* close = new QToolButton;
  close->setIcon(icon(QStringLiteral("x"), IconTone::secondary));
  close->setToolTip(tr("Hide %1").arg(title));
  close->setAccessibleName(close->toolTip());
  row->addWidget(new QLabel(title));
  row->addStretch();
  row->addWidget(close);
  setTitleBarWidget(bar);
  setContent(new QWidget);
  connect(close, &QToolButton::clicked, this, &QDockWidget::close);
}

void Dock::setContent(QWidget* content) {
  QWidget* before = widget();
  content->setObjectName(QStringLiteral("dockBody"));
  content->setAttribute(Qt::WA_StyledBackground);
  setWidget(content);
  delete before;
}

DockShare::DockShare(QMainWindow& window, Dock& dock, Settings& settings, const char* key, int first)
    : QObject(&window),
      window_(window),
      dock_(dock),
      settings_(settings),
      key_(key),
      share_(std::clamp(settings.number(key, 0) > 0 ? settings.number(key, 0) : first, 100, 900)),
      isChosen_(settings.number(key, 0) > 0) {
  window.installEventFilter(this);
  dock.installEventFilter(this);
}

bool DockShare::eventFilter(QObject* watched, QEvent* event) {
  const bool isResize = event->type() == QEvent::Resize;
  if (watched == &window_ && (isResize || event->type() == QEvent::Show)) {
    QMetaObject::invokeMethod(this, &DockShare::apply, Qt::QueuedConnection);
  } else if (watched == &dock_ && event->type() == QEvent::Show) {
    QMetaObject::invokeMethod(this, &DockShare::apply, Qt::QueuedConnection);  // it may come after the window
  } else if (watched == &dock_ && isResize && (QGuiApplication::mouseButtons() & Qt::LeftButton) != 0 &&
             !dock_.isFloating() && window_.width() > 0) {
    share_ = std::clamp(1000 * dock_.width() / window_.width(), 100, 900);
    settings_.setNumber(key_, share_);
    isChosen_ = true;
  }
  return QObject::eventFilter(watched, event);
}

void DockShare::apply() {
  if (!dock_.isVisible() || dock_.isFloating() || (QGuiApplication::mouseButtons() & Qt::LeftButton) != 0)
    return;
  int width = window_.width() * share_ / 1000;
  if (!isChosen_) width = std::max(width, std::min(usualLeast, window_.width() * 21 / 40));
  window_.resizeDocks({&dock_}, {width}, Qt::Horizontal);
}

}  // namespace wb
