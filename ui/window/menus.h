// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QMainWindow;

namespace wb {

class Actions;
struct WindowParts;

/// Makes the menu bar from actions that exist. `docks` show and hide the docks.
void buildMenus(QMainWindow& window, Actions& actions, const WindowParts& parts,
                const QList<QAction*>& docks);

/// Adds a command for each page of resources/help to the Help menu, once they are known.
void addHelpPages(QMainWindow& window, Actions& actions);

}  // namespace wb
