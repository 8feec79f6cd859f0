// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace wb {

class Settings;

/// A Python environment in which kernels can run, by a name that the user gave it.
struct Environment {
  QString name;
  /// The python program.
  QString python;
  bool operator==(const Environment&) const = default;
};

/// The named environments, in the user's order. They do not include the one that is found automatically.
[[nodiscard]] QList<Environment> environments(const Settings& settings);
void setEnvironments(Settings& settings, const QList<Environment>& environments);
/// The python program for a tab that has chosen this environment: of that name; for "" or a name that is not
/// there any more the one that holds for all tabs; "" means the one that is found automatically.
[[nodiscard]] QString pythonFor(const Settings& settings, const QString& name);

}  // namespace wb
