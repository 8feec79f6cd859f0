// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace wb {

/// An area as high as its content needs, up to a share of the window's height; beyond that it scrolls.
class GrowingArea : public QScrollArea {
  Q_OBJECT
 public:
  explicit GrowingArea(QWidget* content, QWidget* parent = nullptr);
  void setMost(double share);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {80, 24}; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] int wholeRows(int most) const;
  void fit();

  double most_ = 0.35;
};

}  // namespace wb
