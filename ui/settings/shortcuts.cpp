// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcuts.h"

#include <QAction>

#include "ui/settings/settings.h"
#include "ui/window/actions.h"

namespace wb {
namespace {

const char* const standardProperty = "standardShortcut";
/// Stands in the file for a command without keys, since an empty text would mean that nothing was chosen.
const QString noKeys = QStringLiteral("none");

QByteArray keyOf(const QAction& action) {
  return "shortcuts/" + action.objectName().toUtf8();
}

}  // namespace

void applyShortcuts(const QList<QAction*>& actions, const Settings& settings) {
  for (QAction* action : actions) {
    if (action->objectName().isEmpty()) continue;
    if (!action->property(standardProperty).isValid())
      action->setProperty(standardProperty, action->shortcut());
    const QString chosen = settings.text(keyOf(*action).constData());
    const QKeySequence keys = chosen.isEmpty() ? standardShortcut(*action)
                              : chosen == noKeys
                                  ? QKeySequence()
                                  : QKeySequence::fromString(chosen, QKeySequence::PortableText);
    if (keys != action->shortcut()) setKeys(*action, keys);
  }
}

QKeySequence standardShortcut(const QAction& action) {
  const QVariant standard = action.property(standardProperty);
  return standard.isValid() ? standard.value<QKeySequence>() : action.shortcut();
}

void setShortcut(QAction& action, const QKeySequence& keys, Settings& settings) {
  const bool isStandard = keys == standardShortcut(action);
  settings.setText(keyOf(action).constData(), isStandard       ? QString()
                                              : keys.isEmpty() ? noKeys
                                                               : keys.toString(QKeySequence::PortableText));
  setKeys(action, keys);
}

QList<QAction*> commandsWith(const QKeySequence& keys, const QList<QAction*>& actions,
                             const QAction* except) {
  QList<QAction*> found;
  for (QAction* action : actions)
    if (action != except && !keys.isEmpty() && !action->objectName().isEmpty() &&
        !action->shortcut().isEmpty() && action->shortcut().matches(keys) != QKeySequence::NoMatch)
      found.push_back(action);
  return found;
}

}  // namespace wb
