// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_flow.h"

#include <QAction>
#include <QComboBox>
#include <QMainWindow>

#include "editor/text_shape.h"
#include "ui/clangd/clangd.h"
#include "ui/doctor/doctor_page.h"
#include "ui/editing/editing_actions.h"
#include "ui/editing/editor_area.h"
#include "ui/run/run_bar.h"
#include "ui/run/run_controller.h"
#include "ui/settings/setting_list.h"
#include "ui/settings/settings.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/shortcuts.h"
#include "ui/targets/device_box.h"
#include "ui/targets/targets_panel.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/window_parts.h"

namespace wb {

SettingsFlow::SettingsFlow(const WindowParts& parts, RunController& controller, QMainWindow& window)
    : QObject(&window), parts_(parts), controller_(controller), window_(window) {
  parts_.actions->add(QStringLiteral("help.doctor"), tr("Help"), tr("&What this machine can do…"),
                      QStringLiteral("clipboard2-check"), {}, [this] { openDoctor(); });
  connect(parts_.settings, &Settings::changed, this, &SettingsFlow::changed);
  connect(parts_.tabs, &EditorArea::zoomChanged, this,
          [this](int pixels) { parts_.settings->setNumber("editor/zoom", pixels); });
}

void SettingsFlow::open() {
  QList<SettingChoice> devices;
  const DeviceBox& box = parts_.bar->devices();
  for (int i = 0; i < box.count(); ++i)
    if (box.itemData(i).isValid()) devices.push_back({box.itemData(i), box.itemText(i)});
  if (box.findData(box.chosen()) < 0) devices.push_back({box.chosen(), box.title()});
  auto* page = new SettingsPage(*parts_.settings, window_.actions(), devices, &window_);
  page->setAttribute(Qt::WA_DeleteOnClose);
  connect(page, &SettingsPage::doctorWanted, this, &SettingsFlow::openDoctor);
  connect(&page->targets(), &TargetsPanel::targetsChanged, this,
          [this](const std::vector<RunTarget>& targets) { parts_.bar->devices().setTargets(targets); });
  page->open();
}

void SettingsFlow::openDoctor() {
  auto* page = new DoctorPage(&window_);
  page->setAttribute(Qt::WA_DeleteOnClose);
  page->open();
}

void SettingsFlow::windowIsReady() {
  applyShortcuts(window_.actions(), *parts_.settings);
  if (const QString wrong = parts_.settings->complaint(); !wrong.isEmpty())
    parts_.banner->tell(Tone::warning, wrong, {});
}

void SettingsFlow::changed(const QString& key) {
  const Settings& settings = *parts_.settings;
  const auto toggle = [&](const char* action, int standard) {
    QAction* found = parts_.actions->find(QLatin1String(action));
    const bool on = settings.number(key.toLatin1().constData(), standard) != 0;
    if (found && found->isChecked() != on) found->trigger();
  };
  if (key == QLatin1String("theme")) emit themeChosen(settings.theme());
  if (key == QLatin1String("python/path")) controller_.setPython(settings.text("python/path").toStdString());
  if (key == QLatin1String("judge/strict")) controller_.setJudges(settings.number("judge/strict", 0) != 0);
  if (key.startsWith(QLatin1String("python/")))
    if (auto* clangd = window_.findChild<Clangd*>()) clangd->pythonsChanged();
  if (key == QLatin1String("run/onSave")) toggle("run.onSave", 0);
  if (key == QLatin1String("run/whileTyping")) toggle("run.whileTyping", 0);
  if (key == QLatin1String("view/heat")) toggle("view.heat", 1);
  if (key == QLatin1String("editor/wrap")) toggle("view.wrap", 0);
  if (key == QLatin1String("editor/clangd")) toggle("edit.clangd", 1);
  if (key == QLatin1String("editor/zoom"))
    parts_.tabs->setZoom(settings.number("editor/zoom", 13));
  else if (key.startsWith(QLatin1String("editor/")))
    parts_.tabs->setOptions(editorOptions(settings));
}

}  // namespace wb
