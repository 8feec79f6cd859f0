// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>

#include "ui/style/restyling.h"
#include "ui/style/theme.h"

class QApplication;

namespace wb {

enum class ThemeChoice { system, dark, light };
[[nodiscard]] QString name(ThemeChoice choice);
/// The choice with this name; `system` for any other name.
[[nodiscard]] ThemeChoice themeChoice(const QString& name);

/// Applies style, palette, style sheet and font to the application, and again when the choice or the
/// desktop's colour scheme changes.
class Appearance : public QObject {
  Q_OBJECT
 public:
  explicit Appearance(QApplication& application, ThemeChoice choice = ThemeChoice::dark);

  [[nodiscard]] ThemeChoice choice() const { return choice_; }
  [[nodiscard]] const Theme& theme() const { return *theme_; }
  void setChoice(ThemeChoice choice);
  /// Whether all widgets have the look of the theme; after a switch that takes some turns of the event loop.
  [[nodiscard]] bool isSettled() const { return !restyling_.isUnderWay(); }
  /// Asks the desktop for its scheme (xdg-desktop-portal) and follows it. It is called after the start, and
  /// does nothing where there is no session bus.
  void followDesktop();

 signals:
  void changed();

 private slots:
  void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void apply();

  QApplication& application_;
  Restyling restyling_;
  ThemeChoice choice_;
  const Theme* theme_ = nullptr;
  bool desktopDark_ = true;
};

}  // namespace wb
