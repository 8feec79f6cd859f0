// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/cards_view.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

namespace wb {
namespace {

/// A card is at least so wide, in pixels; below it numbers and titles would not stand on one line.
constexpr int leastWidth = 205;
constexpr int mostColumns = 4;

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

// The colours come from the style sheet, which knows the tone: a palette of the label's own would be lost
// with every new sheet.
void setTone(QLabel& label, Tone tone) {
  const QString said = QString::fromStdString(std::string(name(tone)));
  if (label.property("tone").toString() == said) return;
  label.setProperty("tone", said);
  label.style()->unpolish(&label);
  label.style()->polish(&label);
}

}  // namespace

CardsView::CardsView(QWidget* parent) : QWidget(parent), aside_(new QLabel) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  grid_ = new QGridLayout;
  grid_->setSpacing(8);
  column->addLayout(grid_);
  aside_->setObjectName(QStringLiteral("hint"));
  aside_->setWordWrap(true);
  aside_->setTextFormat(Qt::PlainText);
  aside_->setContentsMargins(3, 0, 3, 0);
  column->addWidget(aside_);
}

CardsView::Slot CardsView::addSlot() {
  Slot slot{new QFrame, new QLabel, new QLabel, new QLabel};
  slot.frame->setObjectName(QStringLiteral("card"));
  slot.title->setObjectName(QStringLiteral("cardTitle"));
  slot.value->setObjectName(QStringLiteral("cardValue"));
  slot.detail->setObjectName(QStringLiteral("cardDetail"));
  slot.detail->setWordWrap(true);
  slot.detail->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* head = new QHBoxLayout;
  head->setSpacing(10);
  head->addWidget(slot.title, 1, Qt::AlignLeft | Qt::AlignVCenter);
  head->addWidget(slot.value, 0, Qt::AlignRight | Qt::AlignVCenter);
  auto* column = new QVBoxLayout(slot.frame);
  column->setContentsMargins(11, 6, 11, 8);
  column->setSpacing(1);
  column->addLayout(head);
  column->addWidget(slot.detail, 1);
  return slot;
}

void CardsView::setCards(const Cards& cards) {
  if (cards == cards_) return;
  cards_ = cards;
  fill();
}

void CardsView::fill() {
  std::size_t used = 0;
  QStringList aside;
  for (const Card& card : cards_.cards) {
    if (card.isAside) {
      const QString detail = card.detail.empty() ? QString() : QStringLiteral(" · ") + qt(card.detail);
      aside << qt(card.title) + QStringLiteral(": ") + qt(card.value) + detail;
      continue;
    }
    if (used == slots_.size()) {
      slots_.push_back(addSlot());
      columns_ = 0;
    }
    const Slot& slot = slots_[used++];
    slot.title->setText(qt(card.title));
    slot.value->setText(qt(card.value));
    slot.detail->setText(qt(card.detail));
    slot.detail->setVisible(!card.detail.empty());
    setTone(*slot.value, isFaded_ ? Tone::muted : card.tone);
    slot.frame->setAccessibleName(qt(card.title + ": " + card.value + " · " + card.detail));
    slot.frame->show();
  }
  for (std::size_t i = used; i < slots_.size(); ++i) slots_[i].frame->hide();
  aside_->setText(aside.join(QLatin1Char('\n')));
  aside_->setVisible(!aside.isEmpty());
  arrange();
}

void CardsView::arrange() {
  const int cards = int(slots_.size());
  if (cards == 0) return;
  int columns = std::clamp(width() / leastWidth, 1, std::min(mostColumns, cards));
  // A row that is not full looks like a mistake where the next lower number fills it.
  if (columns < cards && cards % columns != 0 && cards % (columns - 1) == 0) --columns;
  if (columns == columns_) return;
  columns_ = columns;
  for (int i = 0; i < cards; ++i) grid_->addWidget(slots_[size_t(i)].frame, i / columns, i % columns);
  for (int i = 0; i < mostColumns; ++i) grid_->setColumnStretch(i, i < columns ? 1 : 0);
}

QSize CardsView::minimumSizeHint() const {
  return {leastWidth, QWidget::minimumSizeHint().height()};
}

void CardsView::setFaded(bool faded) {
  if (std::exchange(isFaded_, faded) != faded) fill();
}

void CardsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace wb
