// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/settings/settings.h"
#include "ui/style/icon.h"
#include "ui/style/text_label.h"

namespace wb {
namespace {

QString words(const char* text) {
  return QCoreApplication::translate("wb", text);
}

}  // namespace

SettingRow::SettingRow(const SettingInfo& setting, const QList<SettingChoice>& choices, Settings& settings,
                       QWidget* parent)
    : QWidget(parent), setting_(setting), settings_(settings), reset_(new QToolButton) {
  const QString title = words(setting.title);
  control_ = makeControl(choices);
  control_->setAccessibleName(title);
  control_->setAccessibleDescription(words(setting.help));
  control_->setMinimumWidth(setting.kind == SettingKind::flag ? 0 : 200);
  reset_->setIcon(icon(QStringLiteral("arrow-counterclockwise"), IconTone::secondary));
  reset_->setToolTip(tr("Back to the standard"));
  reset_->setAccessibleName(tr("Reset: %1").arg(title));
  QSizePolicy keepsRoom = reset_->sizePolicy();
  keepsRoom.setRetainSizeWhenHidden(true);
  reset_->setSizePolicy(keepsRoom);
  auto* text = new QVBoxLayout;
  text->setSpacing(1);
  QLabel* heading = textLabel(title);
  heading->setBuddy(control_);
  text->addWidget(heading);
  text->addWidget(textLabel(words(setting.help), "hint"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 6, 0, 6);
  row->setSpacing(14);
  row->addLayout(text, 1);
  row->addWidget(control_, 0, Qt::AlignVCenter);
  row->addWidget(reset_, 0, Qt::AlignVCenter);
  connect(reset_, &QToolButton::clicked, this, [this] {
    set(standardOf(setting_));
    control_->setFocus();
  });
  connect(&settings_, &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String(setting_.name)) showValue();
  });
  showValue();
}

QWidget* SettingRow::makeControl(const QList<SettingChoice>& choices) {
  switch (setting_.kind) {
    case SettingKind::flag: {
      auto* box = new QCheckBox;
      connect(box, &QCheckBox::toggled, this, [this](bool on) { set(on ? 1 : 0); });
      return box;
    }
    case SettingKind::whole: {
      auto* box = new QSpinBox;
      box->setRange(int(setting_.least), int(setting_.most));
      box->setSuffix(QString::fromUtf8(setting_.suffix));
      box->setKeyboardTracking(false);
      connect(box, &QSpinBox::valueChanged, this, [this](int value) { set(value); });
      return box;
    }
    case SettingKind::real: {
      auto* box = new QDoubleSpinBox;
      box->setRange(setting_.least, setting_.most);
      box->setDecimals(1);
      box->setSuffix(QString::fromUtf8(setting_.suffix));
      box->setKeyboardTracking(false);
      connect(box, &QDoubleSpinBox::valueChanged, this, [this](double value) { set(value); });
      return box;
    }
    case SettingKind::choice:
      break;
  }
  auto* box = new QComboBox;
  for (const SettingChoice& choice : choices) box->addItem(choice.title, choice.value);
  connect(box, &QComboBox::activated, this, [this, box] { set(box->currentData()); });
  return box;
}

void SettingRow::set(const QVariant& value) {
  settings_.setSetting(setting_, value);
}

void SettingRow::showValue() {
  const QVariant now = settings_.setting(setting_);
  const QSignalBlocker quiet(control_);
  if (auto* flag = qobject_cast<QCheckBox*>(control_)) flag->setChecked(now.toInt() != 0);
  if (auto* whole = qobject_cast<QSpinBox*>(control_)) whole->setValue(now.toInt());
  if (auto* real = qobject_cast<QDoubleSpinBox*>(control_)) real->setValue(now.toDouble());
  if (auto* choice = qobject_cast<QComboBox*>(control_))
    choice->setCurrentIndex(std::max(0, choice->findData(now)));
  reset_->setVisible(now != standardOf(setting_));
}

bool SettingRow::matches(const QStringList& wanted) const {
  const QString all = words(setting_.title) + QLatin1Char(' ') + words(setting_.help) + QLatin1Char(' ') +
                      words(setting_.section) + QLatin1Char(' ') + QLatin1String(setting_.name);
  return std::ranges::all_of(wanted,
                             [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

}  // namespace wb
