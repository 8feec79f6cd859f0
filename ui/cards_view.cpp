// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cards_view.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/eliding_label.h"
#include "ui/theme.h"

namespace wb {
namespace {

QLabel* label(const QString& name, QBoxLayout& into, int smallest = 0) {
  auto* made = new ElidingLabel;
  made->setSmallest(smallest);
  made->setObjectName(name);
  into.addWidget(made);
  return made;
}

void paintText(QLabel& into, const std::string& text, const QColor& color) {
  into.setText(QString::fromStdString(text));
  QPalette palette = into.palette();
  palette.setColor(QPalette::WindowText, color);
  into.setPalette(palette);
}

}  // namespace

CardsView::CardsView(QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(8);
}

void CardsView::addSlot() {
  Slot slot{};
  slot.frame = new QFrame;
  slot.frame->setObjectName(QStringLiteral("card"));
  auto* column = new QVBoxLayout(slot.frame);
  column->setContentsMargins(11, 9, 6, 9);
  column->setSpacing(2);
  slot.title = label(QStringLiteral("cardTitle"), *column);
  slot.value = label(QStringLiteral("cardValue"), *column, 14);
  slot.detail = label(QStringLiteral("cardDetail"), *column);
  row_->addWidget(slot.frame, 1);
  slots_.push_back(slot);
}

void CardsView::setCards(const Cards& cards) {
  if (cards == cards_) return;
  cards_ = cards;
  fill();
}

void CardsView::fill() {
  while (slots_.size() < cards_.cards.size()) addSlot();
  const Theme& theme = themeOf(palette());
  for (size_t i = 0; i < slots_.size(); ++i) {
    const bool used = i < cards_.cards.size();
    slots_[i].frame->setVisible(used);
    if (!used) continue;
    const Card& card = cards_.cards[i];
    paintText(*slots_[i].title, card.title, theme.secondary);
    paintText(*slots_[i].value, card.value, toneColor(theme, card.tone));
    paintText(*slots_[i].detail, card.detail, theme.secondary);
    slots_[i].frame->setToolTip(QString::fromStdString(card.title + ": " + card.value + " · " + card.detail));
    slots_[i].frame->setAccessibleName(slots_[i].frame->toolTip());
  }
}

void CardsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) fill();
  QWidget::changeEvent(event);
}

}  // namespace wb
