// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/figures/figure.h"

class QFrame;
class QHBoxLayout;
class QLabel;

namespace wb {

/// The headline numbers, side by side.
class CardsView : public QWidget {
  Q_OBJECT
 public:
  explicit CardsView(QWidget* parent = nullptr);
  void setCards(const Cards& cards);
  [[nodiscard]] const Cards& cards() const { return cards_; }

 private:
  struct Slot {
    QFrame* frame;
    QLabel *title, *value, *detail;
  };
  void addSlot();
  void fill();

  Cards cards_;
  QHBoxLayout* row_;
  std::vector<Slot> slots_;
};

}  // namespace wb
