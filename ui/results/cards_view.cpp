// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/cards_view.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/style/eliding_label.h"

namespace wb {
namespace {

QLabel* label(const QString& name, QBoxLayout& into, int smallest = 0) {
  auto* made = new ElidingLabel;
  made->setSmallest(smallest);
  made->setObjectName(name);
  into.addWidget(made);
  return made;
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
  for (size_t i = 0; i < slots_.size(); ++i) {
    const bool used = i < cards_.cards.size();
    slots_[i].frame->setVisible(used);
    if (!used) continue;
    const Card& card = cards_.cards[i];
    slots_[i].title->setText(QString::fromStdString(card.title));
    slots_[i].value->setText(QString::fromStdString(card.value));
    slots_[i].detail->setText(QString::fromStdString(card.detail));
    setTone(*slots_[i].value, card.tone);
    slots_[i].frame->setToolTip(QString::fromStdString(card.title + ": " + card.value + " · " + card.detail));
    slots_[i].frame->setAccessibleName(slots_[i].frame->toolTip());
  }
}

}  // namespace wb
