// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/advice_view.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/icon.h"

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
  while (QLayoutItem* item = column_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto at = std::find_if(advice_->columns.begin(), advice_->columns.end(),
                               [](const Column& column) { return column.key == "message"; });
  const size_t message = size_t(at - advice_->columns.begin());
  for (size_t row = 0; row < advice_->rows.size(); ++row) {
    if (message + 1 >= advice_->rows[row].size()) continue;
    addRow({advice_->rows[row][message], advice_->rows[row][message + 1]},
           advice_->places.empty() ? Place{} : advice_->places[row]);
  }
  if (advice_->rows.empty() && !advice_->empty.empty())
    addRow({Cell{advice_->empty, 0, Tone::muted, {}}, Cell{}}, {});
}

void AdviceView::addRow(const std::vector<Cell>& cells, const Place& place) {
  auto* row = new QFrame;
  row->setObjectName(QStringLiteral("advice"));
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(10, 5, 8, 5);
  line->setSpacing(9);
  auto* mark = new QLabel;
  mark->setPixmap(iconOf(cells[0].tone).pixmap(QSize(14, 14), devicePixelRatioF()));
  mark->setContentsMargins(0, 2, 0, 0);
  auto* words = new QLabel(QString::fromStdString(cells[0].text));
  words->setWordWrap(true);
  words->setTextFormat(Qt::PlainText);
  words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line->addWidget(mark, 0, Qt::AlignTop);
  line->addWidget(words, 1);
  if (place.line > 0) {
    auto* jump = new QToolButton;
    jump->setObjectName(QStringLiteral("link"));
    jump->setText(QString::fromStdString(cells[1].text));
    jump->setToolTip(tr("Shows that line in the editor"));
    jump->setAccessibleName(tr("Go to %1").arg(jump->text()));
    jump->setCursor(Qt::PointingHandCursor);
    connect(jump, &QToolButton::clicked, this, [this, place] { emit placeClicked(place); });
    line->addWidget(jump, 0, Qt::AlignTop);
  }
  column_->addWidget(row);
}

}  // namespace wb
