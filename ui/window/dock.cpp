// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/style/icon.h"

namespace wb {

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

}  // namespace wb
