// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace wb {

/// A label that may be narrow: where its text does not fit, it becomes smaller if it may, and then ends in
/// "…".
class ElidingLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  /// Sets the smallest font size; with 0 the text keeps its size.
  void setSmallest(int pixels) { smallest_ = pixels; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int smallest_ = 0;
};

}  // namespace wb
