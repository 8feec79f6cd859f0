// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace wb {

/// A label that ends in "…" where its text does not fit, and so may become narrow.
class ElidingLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  [[nodiscard]] QSize minimumSizeHint() const override { return {24, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace wb
