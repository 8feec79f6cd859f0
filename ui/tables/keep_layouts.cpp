// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/keep_layouts.h"

#include "ui/settings/settings.h"
#include "ui/tables/table_columns.h"
#include "ui/tables/table_panel.h"

namespace wb {

void keepLayouts(QWidget& root, Settings& settings) {
  QList<TablePanel*> panels = root.findChildren<TablePanel*>();
  if (auto* own = qobject_cast<TablePanel*>(&root)) panels << own;
  for (TablePanel* panel : panels) {
    const QByteArray key = "tables/" + panel->objectName().toUtf8();
    panel->columns().setLayout(settings.text(key.constData()));
    QObject::connect(&panel->columns(), &TableColumns::layoutChanged, panel, [panel, key, &settings] {
      settings.setText(key.constData(), panel->columns().layout());
    });
  }
}

}  // namespace wb
