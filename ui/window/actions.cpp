// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions.h"

#include <QAction>
#include <QMainWindow>
#include <QVariant>

#include "ui/style/icon.h"

namespace wb {

QAction* Actions::add(const QString& id, const QString& category, const QString& text,
                      const QString& iconName, const QKeySequence& shortcut, std::function<void()> slot) {
  auto* action = new QAction(text, &window_);
  action->setObjectName(id);
  action->setProperty("category", category);
  if (!iconName.isEmpty()) action->setIcon(icon(iconName));
  QString plain = text;
  plain.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
  action->setIconText(QLatin1Char(' ') + plain);  // this makes the gap that tool buttons do not leave
  setKeys(*action, shortcut);
  QObject::connect(action, &QAction::triggered, &window_, [slot = std::move(slot)] { slot(); });
  window_.addAction(action);
  return action;
}

QAction* Actions::find(const QString& id) const {
  return window_.findChild<QAction*>(id, Qt::FindDirectChildrenOnly);
}

void setKeys(QAction& action, const QKeySequence& keys) {
  action.setShortcut(keys);
  QString tip = action.text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
  if (!keys.isEmpty()) tip += QStringLiteral("  (%1)").arg(keys.toString(QKeySequence::NativeText));
  action.setToolTip(tip);
}

QString categoryOf(const QAction& action) {
  return action.property("category").toString();
}

}  // namespace wb
