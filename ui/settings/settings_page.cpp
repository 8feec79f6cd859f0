// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_page.h"

#include <QCoreApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/settings/caches_panel.h"
#include "ui/settings/python_panel.h"
#include "ui/settings/setting_row.h"
#include "ui/settings/settings.h"
#include "ui/settings/shortcuts_panel.h"
#include "ui/style/icon.h"
#include "ui/targets/targets_panel.h"

namespace wb {

SettingsPage::SettingsPage(Settings& settings, const QList<QAction*>& actions,
                           const QList<SettingChoice>& devices, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      search_(new QLineEdit),
      list_(new QListWidget),
      area_(new QScrollArea),
      body_(nullptr),
      nothing_(new QLabel(tr("No setting has these words."))),
      python_(new PythonPanel(settings)),
      targets_(new TargetsPanel),
      shortcuts_(new ShortcutsPanel(actions, settings)),
      caches_(new CachesPanel) {
  setObjectName(QStringLiteral("settings"));
  setWindowTitle(tr("Settings"));
  resize(940, 680);
  build();
  addPanel(tr("Python"), python_, tr("Python environment torch interpreter venv program"));
  addRows(devices);
  addPanel(tr("Targets"), targets_, tr("Targets machines hosts remote ssh slurm cluster"));
  addPanel(tr("Shortcuts"), shortcuts_, {});
  addPanel(tr("Caches"), caches_, tr("Caches folder disk size room empty"));
  body_->addStretch(1);
  for (const Section& each : sections_) list_->addItem(each.title);
  list_->setCurrentRow(0);
  connect(search_, &QLineEdit::textChanged, this, &SettingsPage::filter);
  connect(list_, &QListWidget::currentTextChanged, this, &SettingsPage::goTo);
  search_->setFocus();
}

void SettingsPage::build() {
  search_->setPlaceholderText(tr("Search settings and shortcuts  (Ctrl+F)"));
  search_->setAccessibleName(tr("Search settings"));
  search_->setClearButtonEnabled(true);
  search_->addAction(icon(QStringLiteral("search"), IconTone::secondary), QLineEdit::LeadingPosition);
  list_->setAccessibleName(tr("Sections"));
  list_->setFixedWidth(150);
  nothing_->setObjectName(QStringLiteral("hint"));
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->hide();
  auto* inside = new QWidget;
  body_ = new QVBoxLayout(inside);
  body_->setContentsMargins(0, 0, 10, 0);
  body_->setSpacing(12);
  body_->addWidget(nothing_);
  area_->setWidget(inside);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setAccessibleName(tr("Settings"));
  auto* doctor = new QPushButton(tr("What this machine can do…"));
  auto* close = new QPushButton(tr("Close"));
  for (QPushButton* button : {doctor, close}) button->setAutoDefault(false);
  connect(doctor, &QPushButton::clicked, this, &SettingsPage::doctorWanted);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(14);
  middle->addWidget(list_);
  middle->addWidget(area_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(doctor);
  buttons->addStretch();
  buttons->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(12);
  column->addWidget(search_);
  column->addLayout(middle, 1);
  column->addLayout(buttons);
}

SettingsPage::Section& SettingsPage::section(const QString& title) {
  const auto at = std::ranges::find(sections_, title, &Section::title);
  if (at != sections_.end()) return *at;
  Section made;
  made.title = title;
  made.frame = new QFrame;
  made.frame->setObjectName(QStringLiteral("card"));
  made.column = new QVBoxLayout(made.frame);
  made.column->setContentsMargins(16, 12, 16, 12);
  made.column->setSpacing(4);
  auto* heading = new QLabel(title);
  heading->setObjectName(QStringLiteral("heading"));
  made.column->addWidget(heading);
  body_->addWidget(made.frame);
  return sections_.emplace_back(std::move(made));
}

void SettingsPage::addRows(const QList<SettingChoice>& devices) {
  for (const SettingInfo& setting : settingList()) {
    const bool isDevice = QLatin1String(setting.name) == QLatin1String("run/device");
    auto* row = new SettingRow(setting, isDevice ? devices : choicesOf(setting), settings_);
    Section& into = section(QCoreApplication::translate("wb", setting.section));
    into.column->addWidget(row);
    into.rows.push_back(row);
  }
}

void SettingsPage::addPanel(const QString& title, QWidget* panel, const QString& words) {
  Section& into = section(title);
  into.column->addWidget(panel);
  into.words = words;
}

SettingRow* SettingsPage::row(const QString& key) const {
  for (const Section& each : sections_)
    for (SettingRow* row : each.rows)
      if (key == QLatin1String(row->setting().name)) return row;
  return nullptr;
}

void SettingsPage::filter() {
  const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  bool some = false;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    Section& each = sections_[i];
    const QString all = each.title + QLatin1Char(' ') + each.words;
    bool shown = each.rows.empty() && std::ranges::all_of(words, [&](const QString& word) {
                   return all.contains(word, Qt::CaseInsensitive);
                 });
    for (SettingRow* row : each.rows) {
      row->setVisible(row->matches(words));
      shown = shown || row->matches(words);
    }
    // Of the shortcuts those are shown that fit; by the section's own name all are.
    if (each.title == tr("Shortcuts")) shown = shortcuts_->setFilter(shown ? QStringList() : words) > 0;
    each.frame->setVisible(shown);
    list_->item(int(i))->setHidden(!shown);
    some = some || shown;
  }
  nothing_->setVisible(!some);
  area_->verticalScrollBar()->setValue(0);
}

void SettingsPage::goTo(const QString& title) {
  const auto at = std::ranges::find(sections_, title, &Section::title);
  if (at == sections_.end()) return;
  area_->widget()->layout()->activate();
  area_->verticalScrollBar()->setValue(at->frame->y());
}

QStringList SettingsPage::shownSections() const {
  QStringList shown;
  for (const Section& each : sections_)
    if (!each.frame->isHidden()) shown.push_back(each.title);
  return shown;
}

void SettingsPage::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Find)) {
    search_->setFocus();
    search_->selectAll();
    return;
  }
  QDialog::keyPressEvent(event);
}

}  // namespace wb
