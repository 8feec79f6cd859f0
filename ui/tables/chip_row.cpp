// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/chip_row.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <algorithm>

#include "core/base/quantity.h"

namespace wb {

ChipRow::ChipRow(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  setAccessibleName(tr("Rows to show"));
}

void ChipRow::setSets(const std::vector<RowSet>& sets, const RowCounts& counts) {
  if (sets != sets_ || chips_.empty()) {
    for (QToolButton* chip : chips_) chip->deleteLater();
    chips_.clear();
    sets_ = sets;
    if (chosen_ >= int(sets.size())) choose(-1);
    for (int set = -1; set < int(sets.size()); ++set) {
      auto* chip = chips_.emplace_back(new QToolButton);
      chip->setObjectName(QStringLiteral("chip"));
      chip->setCheckable(true);
      chip->setChecked(set == chosen_);
      chip->setToolTip(set < 0 ? tr("All rows") : QString::fromStdString(sets[size_t(set)].meaning));
      connect(chip, &QToolButton::clicked, this, [this, set] { choose(set); });
      layout()->addWidget(chip);
    }
  }
  for (int set = -1; set < int(sets.size()); ++set) {
    const int count = set < 0 ? counts.all : counts.sets[size_t(set)];
    const QString title = set < 0 ? tr("All") : QString::fromStdString(sets[size_t(set)].title);
    QToolButton* one = chip(set);
    one->setText(QStringLiteral("%1 %2").arg(title, QString::fromStdString(formatCount(count))));
    one->setAccessibleName(one->text());
    one->setEnabled(count > 0 || set < 0 || set == chosen_);
  }
}

QToolButton* ChipRow::chip(int set) const {
  return set + 1 >= 0 && set + 1 < int(chips_.size()) ? chips_[size_t(set + 1)] : nullptr;
}

void ChipRow::choose(int set) {
  for (int each = -1; each < int(sets_.size()); ++each)
    if (QToolButton* one = chip(each)) one->setChecked(each == set);
  if (std::exchange(chosen_, set) != set) emit chosenChanged(set);
}

void ChipRow::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  const auto at = std::find(chips_.begin(), chips_.end(), focusWidget());
  if (by == 0 || at == chips_.end()) return QWidget::keyPressEvent(event);
  for (auto next = at - chips_.begin() + by; next >= 0 && next < std::ssize(chips_); next += by)
    if (chips_[size_t(next)]->isEnabled()) return chips_[size_t(next)]->setFocus(Qt::TabFocusReason);
}

}  // namespace wb
