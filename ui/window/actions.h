// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QString>
#include <functional>

class QAction;
class QMainWindow;

namespace wb {

/// Every command of the window is made here, so that menus, tool bar, command palette and tests find it by
/// its id (the action's objectName).
class Actions {
 public:
  explicit Actions(QMainWindow& window) : window_(window) {}
  /// `category` groups the command in the palette: "File: Save". The tooltip names the shortcut.
  QAction* add(const QString& id, const QString& category, const QString& text, const QString& icon,
               const QKeySequence& shortcut, std::function<void()> slot);
  [[nodiscard]] QAction* find(const QString& id) const;

 private:
  QMainWindow& window_;
};

/// Gives a command other keys, which its tooltip names.
void setKeys(QAction& action, const QKeySequence& keys);

[[nodiscard]] QString categoryOf(const QAction& action);

}  // namespace wb
