// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/advanced_fields.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <QUrl>
#include <algorithm>

#include "ui/style/icon.h"
#include "ui/style/text_label.h"

namespace wb {

QString targetOption(const char* name, const QString& value) {
  if (value.trimmed().isEmpty()) return {};
  return QStringLiteral("%1=%2").arg(QLatin1String(name),
                                     QString::fromLatin1(QUrl::toPercentEncoding(value.trimmed(), "/:~,@")));
}

AdvancedFields::AdvancedFields(QFormLayout& form, QObject* parent)
    : QObject(parent), form_(form), button_(new QToolButton) {
  button_->setObjectName(QStringLiteral("fold"));
  button_->setCheckable(true);
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button_->setIconSize({10, 10});
  button_->setFocusPolicy(Qt::StrongFocus);
  form_.addRow(button_);
  add("account", tr("Account"), tr("The project that pays; else the cluster's own choice"));
  add("qos", tr("QoS"), tr("The cluster's own choice"));
  add("cpus", tr("CPUs"), tr("For each worker, such as 8; else the cluster's own choice"));
  add("mem", tr("Memory"), tr("For each worker, such as 32G; else the cluster's own choice"));
  add("cache", tr("Folder there"), tr("For Warpbench's files; else ~/.cache/warpbench"));
  add("grace", tr("Grace time"), tr("Seconds that a worker goes on without a connection; else 60"));
  connect(button_, &QToolButton::toggled, this, &AdvancedFields::update);
  update();
}

void AdvancedFields::add(const char* option, const QString& title, const QString& example) {
  auto* field = new QLineEdit;
  field->setAccessibleName(title);
  field->setPlaceholderText(example);
  QLabel* error = textLabel({}, "hint");
  setTone(*error, Tone::bad);
  form_.addRow(title, field);
  form_.addRow(QString(), error);
  const std::size_t at = rows_.size();
  rows_.push_back({option, field, error});
  connect(field, &QLineEdit::editingFinished, this, [this, at] { check(rows_[at]); });
  connect(field, &QLineEdit::textChanged, this, [this, at] {
    // What was said holds until the field is right; nothing is said while it is being written.
    if (!rows_[at].error->text().isEmpty()) check(rows_[at]);
  });
}

void AdvancedFields::showFor(const RunTarget& target) {
  std::vector<std::string> known = targetOptions(target);
  if (isBehindSsh(target)) known.emplace_back("cache");
  for (Row& row : rows_) row.isKnown = std::ranges::find(known, row.option) != known.end();
  update();
}

void AdvancedFields::unfold(bool isOpen) {
  button_->setChecked(isOpen);
}

bool AdvancedFields::isSet(const Row& row) {
  return row.isKnown && !row.field->text().trimmed().isEmpty();
}

void AdvancedFields::update() {
  const bool isOpen = button_->isChecked();
  QStringList set;
  for (const Row& row : rows_) {
    form_.setRowVisible(row.field, isOpen && row.isKnown);
    form_.setRowVisible(row.error, isOpen && row.isKnown && !row.error->text().isEmpty());
    if (isSet(row)) set << row.field->accessibleName();
  }
  form_.setRowVisible(button_, std::ranges::any_of(rows_, &Row::isKnown));
  button_->setIcon(
      icon(isOpen ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), IconTone::secondary));
  button_->setText(isOpen || set.isEmpty() ? tr("Advanced")
                                           : tr("Advanced: %1").arg(set.join(QStringLiteral(", "))));
}

bool AdvancedFields::check(const Row& row) {
  const QString value = row.field->text().trimmed();
  const Result<void> possible =
      isSet(row) ? checkTargetOption(row.option, value.toStdString()) : Result<void>{};
  row.error->setText(possible ? QString() : QString::fromStdString(describe(possible.error())));
  row.field->setProperty("invalid", !possible);
  row.field->style()->unpolish(row.field);
  row.field->style()->polish(row.field);
  form_.setRowVisible(row.error, !possible && button_->isChecked());
  return possible.has_value();
}

bool AdvancedFields::check() {
  const Row* wrong = nullptr;
  for (const Row& row : rows_)
    if (!check(row) && !wrong) wrong = &row;
  if (!wrong) return true;
  unfold(true);
  wrong->field->setFocus();
  return false;
}

QStringList AdvancedFields::options() const {
  QStringList set;
  for (const Row& row : rows_)
    if (isSet(row)) set << targetOption(row.option, row.field->text());
  return set;
}

const AdvancedFields::Row& AdvancedFields::rowOf(const std::string& option) const {
  return *std::ranges::find_if(rows_, [&](const Row& row) { return row.option == option; });
}

QLineEdit& AdvancedFields::field(const std::string& option) const {
  return *rowOf(option).field;
}

QString AdvancedFields::errorOf(const std::string& option) const {
  return rowOf(option).error->text();
}

}  // namespace wb
