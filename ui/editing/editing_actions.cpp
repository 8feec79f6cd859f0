// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/editing_actions.h"

#include "ui/editing/editor_area.h"
#include "ui/window/actions.h"
#include "ui/window/window_parts.h"

namespace wb {

void addEditingActions(Actions& actions, const WindowParts& parts) {
  const QString view = QObject::tr("View");
  EditorArea& area = *parts.tabs;
  actions.add("view.split", view, QObject::tr("&Split the editor"), "layout-split", QObject::tr("Ctrl+\\"),
              [&area] { area.split(); });
  actions.add("view.otherSide", view, QObject::tr("Go to the &other side"), "", QObject::tr("Ctrl+Alt+Right"),
              [&area] { area.goToOtherSide(); });
  actions.add("view.moveTab", view, QObject::tr("&Move the tab to the other side"), "",
              QObject::tr("Ctrl+Alt+Shift+Right"), [&area] { area.moveToOtherSide(); });
  actions.add("view.unsplit", view, QObject::tr("&Close the split"), "", QObject::tr("Ctrl+Alt+Left"),
              [&area] { area.unsplit(); });
}

}  // namespace wb
