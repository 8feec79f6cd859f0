// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace wb {

/// A label that ends in "…" where its text does not fit, and so may become narrow; before that its text
/// becomes smaller, where it may.
class ElidingLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  void setSmallest(int pixels) { smallest_ = pixels; }  ///< font size; 0: the text keeps its own
  [[nodiscard]] QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int smallest_ = 0;
};

}  // namespace wb
