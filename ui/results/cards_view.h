// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/figures/figure.h"

class QBoxLayout;
class QFrame;
class QGridLayout;
class QLabel;

namespace wb {

/// The headline numbers, in as many columns as there is room for; what is said aside stands in lines below
/// them. Nothing is cut: what is long goes on in the next line.
class CardsView : public QWidget {
  Q_OBJECT
 public:
  explicit CardsView(QWidget* parent = nullptr);
  void setCards(const Cards& cards);
  [[nodiscard]] const Cards& cards() const { return cards_; }
  /// Shows them pale, since they are not about what the user looks at now.
  void setFaded(bool faded);
  [[nodiscard]] bool isFaded() const { return isFaded_; }
  /// Shows titles and numbers alone, for a low window; the rest stands where the pointer rests on a card.
  void setShort(bool isShort);
  [[nodiscard]] bool isShort() const { return isShort_; }
  [[nodiscard]] int columns() const { return columns_; }
  /// It may become as narrow as one card, however many stand side by side now.
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Slot {
    QFrame* frame;
    QLabel *title, *value, *detail;
    QBoxLayout* head;
  };
  Slot addSlot();
  void fill();
  void arrange();

  Cards cards_;
  QGridLayout* grid_;
  std::vector<Slot> slots_;
  /// The cards that are said aside, one below the other.
  QLabel* aside_;
  int columns_ = 0;
  bool isFaded_ = false, isShort_ = false;
};

}  // namespace wb
