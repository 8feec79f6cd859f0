// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/cards_view.h"

#include <QBoxLayout>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/style/text_label.h"

namespace wb {
namespace {

/// A card is at least so wide, in pixels; below it numbers and titles would not stand on one line.
constexpr int leastWidth = 205;
/// The same of a card that shows only its title and, below it, its number.
constexpr int leastWidthOfShort = 96;
constexpr int mostColumns = 4;
/// The height of one row of short cards: a window may become so low that the cards become short.
constexpr int leastHeight = 48;

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

// The colours come from the style sheet, which knows the tone: a palette of the label's own would be lost
// with every new sheet.
void setLook(QLabel& label, Tone tone, bool isSmall) {
  const QString said = QString::fromStdString(std::string(name(tone)));
  if (label.property("tone").toString() == said && label.property("isSmall").toBool() == isSmall) return;
  label.setProperty("tone", said);
  label.setProperty("isSmall", isSmall);
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
  Slot slot{new QFrame, new QLabel, new QLabel, new QLabel, new QBoxLayout(QBoxLayout::LeftToRight)};
  slot.frame->setObjectName(QStringLiteral("card"));
  slot.title->setObjectName(QStringLiteral("cardTitle"));
  slot.value->setObjectName(QStringLiteral("cardValue"));
  slot.detail->setObjectName(QStringLiteral("cardDetail"));
  slot.detail->setWordWrap(true);
  slot.detail->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  slot.head->addWidget(slot.title, 1);
  slot.head->addWidget(slot.value);
  auto* column = new QVBoxLayout(slot.frame);
  column->setContentsMargins(11, 6, 11, 8);
  column->setSpacing(1);
  column->addLayout(slot.head);
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
    slot.detail->setText(unbrokenQuantities(qt(card.detail)));
    slot.detail->setVisible(!card.detail.empty() && !isShort_);
    slot.frame->setToolTip(isShort_ ? qt(card.detail) : QString());
    slot.head->setDirection(isShort_ ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    slot.head->setSpacing(isShort_ ? 0 : 10);
    slot.value->setAlignment(isShort_ ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    setLook(*slot.value, isFaded_ ? Tone::muted : card.tone, isShort_);
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
  const int least = isShort_ ? leastWidthOfShort : leastWidth;
  int columns = std::clamp(width() / least, 1, std::min(mostColumns, cards));
  // A row that is not full looks like a mistake where the next lower number fills it.
  if (columns < cards && cards % columns != 0 && cards % (columns - 1) == 0) --columns;
  if (columns == columns_) return;
  columns_ = columns;
  for (int i = 0; i < cards; ++i) grid_->addWidget(slots_[size_t(i)].frame, i / columns, i % columns);
  for (int i = 0; i < mostColumns; ++i) grid_->setColumnStretch(i, i < columns ? 1 : 0);
}

QSize CardsView::minimumSizeHint() const {
  return {leastWidth, leastHeight};
}

void CardsView::setFaded(bool faded) {
  if (std::exchange(isFaded_, faded) != faded) fill();
}

void CardsView::setShort(bool isShort) {
  if (std::exchange(isShort_, isShort) != isShort) fill();
}

void CardsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace wb
