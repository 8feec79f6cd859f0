// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/advice_view.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/icon.h"
#include "ui/style/icon_label.h"
#include "ui/style/text_label.h"

namespace wb {
namespace {

QIcon iconOf(Tone tone) {
  switch (tone) {
    case Tone::good:
      return icon(QStringLiteral("check-circle-fill"), IconTone::good);
    case Tone::bad:
      return icon(QStringLiteral("exclamation-triangle-fill"), IconTone::bad);
    case Tone::warning:
      return icon(QStringLiteral("exclamation-triangle-fill"), IconTone::warning);
    case Tone::neutral:
    case Tone::muted:
      break;
  }
  return icon(QStringLiteral("info-circle-fill"), IconTone::accent);
}

}  // namespace

AdviceView::AdviceView(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  setAccessibleName(tr("Advice"));
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
}

void AdviceView::setAdvice(std::shared_ptr<const Table> advice) {
  if (!advice || (advice_ && *advice == *advice_)) return;
  advice_ = std::move(advice);
  fill();
}

void AdviceView::fill() {
  while (QLayoutItem* item = column_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto columnOf = [this](ColumnKind kind) {
    return size_t(std::find_if(advice_->columns.begin(), advice_->columns.end(),
                               [kind](const Column& column) { return column.kind == kind; }) -
                  advice_->columns.begin());
  };
  const size_t message = columnOf(ColumnKind::prose), where = columnOf(ColumnKind::place),
               gain = columnOf(ColumnKind::number);
  const auto textOf = [](const Table::Row& row, size_t column) {
    return column < row.cells.size() ? QString::fromStdString(row.cells[column].text) : QString();
  };
  for (const Table::Row& row : advice_->rows) {
    if (message >= row.cells.size()) continue;
    addRow(row.cells[message], textOf(row, gain), textOf(row, where), row.place);
  }
  if (gain < advice_->columns.size())
    for (QLabel* label : findChildren<QLabel*>(QStringLiteral("muted")))
      label->setToolTip(QString::fromStdString(advice_->columns[gain].meaning));
  if (advice_->rows.empty() && !advice_->empty.empty())
    addRow({advice_->empty, 0, Tone::muted, {}}, {}, {}, {});
}

void AdviceView::addRow(const Cell& message, const QString& gain, const QString& where, const Place& place) {
  auto* row = new QFrame;
  row->setObjectName(QStringLiteral("advice"));
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(10, 5, 8, 5);
  line->setSpacing(9);
  auto* mark = new IconLabel(14, iconOf(message.tone));
  mark->setContentsMargins(0, 2, 0, 0);
  auto* words = new QLabel(unbrokenQuantities(QString::fromStdString(message.text)));
  words->setWordWrap(true);
  words->setTextFormat(Qt::PlainText);
  words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line->addWidget(mark, 0, Qt::AlignTop);
  line->addWidget(words, 1);
  if (!gain.isEmpty()) {
    auto* most = new QLabel(gain);
    most->setObjectName(QStringLiteral("muted"));
    line->addWidget(most, 0, Qt::AlignTop);
  }
  if (place.line > 0 && !where.isEmpty()) {
    auto* jump = new QToolButton;
    jump->setObjectName(QStringLiteral("link"));
    jump->setText(where);
    jump->setToolTip(tr("Shows that line in the editor"));
    jump->setAccessibleName(tr("Go to %1").arg(jump->text()));
    jump->setCursor(Qt::PointingHandCursor);
    connect(jump, &QToolButton::clicked, this, [this, place] { emit placeClicked(place); });
    line->addWidget(jump, 0, Qt::AlignTop);
  }
  column_->addWidget(row);
}

}  // namespace wb
