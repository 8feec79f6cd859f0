// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/appearance.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

#include "resources/resources.h"
#include "ui/style/fonts.h"
#include "ui/style/style.h"

// Q_INIT_RESOURCE declares a function, which is not allowed inside a namespace.
static void initArrows() {
  Q_INIT_RESOURCE(arrows);
}

namespace wb {
namespace {

const QString portal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString portalSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString group = QStringLiteral("org.freedesktop.appearance");
const QString key = QStringLiteral("color-scheme");
constexpr uint preferLight = 2;  // 0 is no preference, 1 dark, 2 light

// The portal's Read wraps the value twice.
QVariant unwrap(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

QString name(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::dark:
      return QStringLiteral("dark");
    case ThemeChoice::light:
      return QStringLiteral("light");
    case ThemeChoice::system:
      break;
  }
  return QStringLiteral("system");
}

ThemeChoice themeChoice(const QString& name) {
  if (name == QLatin1String("dark")) return ThemeChoice::dark;
  if (name == QLatin1String("light")) return ThemeChoice::light;
  return ThemeChoice::system;
}

Appearance::Appearance(QApplication& application, ThemeChoice choice)
    : application_(application), restyling_(application), choice_(choice) {
  initResources();
  initArrows();
  loadFonts();
  application_.setStyle(new Style);
  application_.setFont(textFont());
  apply();
}

void Appearance::setChoice(ThemeChoice choice) {
  if (choice == choice_) return;
  choice_ = choice;
  apply();
}

void Appearance::apply() {
  const bool dark = choice_ == ThemeChoice::dark || (choice_ == ThemeChoice::system && desktopDark_);
  const Theme* next = dark ? &darkTheme() : &lightTheme();
  if (next == theme_) return;
  theme_ = next;
  restyling_.begin(paletteOf(*theme_), styleSheetOf(*theme_));
  emit changed();
}

void Appearance::followDesktop() {
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(portal, portalPath, portalSettings, QStringLiteral("SettingChanged"), this,
              SLOT(settingChanged(QString, QString, QDBusVariant)));
  QDBusMessage ask =
      QDBusMessage::createMethodCall(portal, portalPath, portalSettings, QStringLiteral("Read"));
  ask << group << key;
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(ask, 2000), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
    const QDBusPendingReply<QDBusVariant> reply = *done;
    if (!reply.isError()) settingChanged(group, key, reply.value());
    done->deleteLater();
  });
}

void Appearance::settingChanged(const QString& changedGroup, const QString& changedKey,
                                const QDBusVariant& value) {
  if (changedGroup != group || changedKey != key) return;
  desktopDark_ = unwrap(value.variant()).toUInt() != preferLight;
  apply();
}

}  // namespace wb
