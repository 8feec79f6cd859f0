// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QAction;

namespace wb {

class Settings;

/// Gives each command the keys that the user chose for it, or those that it was made with.
void applyShortcuts(const QList<QAction*>& actions, const Settings& settings);
/// The keys that a command was made with.
[[nodiscard]] QKeySequence standardShortcut(const QAction& action);
/// Chooses keys for a command; an empty sequence means none.
void setShortcut(QAction& action, const QKeySequence& keys, Settings& settings);
/// The other commands that have these keys.
[[nodiscard]] QList<QAction*> commandsWith(const QKeySequence& keys, const QList<QAction*>& actions,
                                           const QAction* except);

}  // namespace wb
