// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

#include "core/figures/figure.h"

class QLogValueAxis;

namespace wb {

class PlaneOverlay;

/// Points and lines on two logarithmic axes: the roofline. Hovering or the arrow keys tell what a point is.
class PlaneView : public QChartView {
  Q_OBJECT
 public:
  explicit PlaneView(QWidget* parent = nullptr);
  void setPlane(const PlaneChart& plane);
  [[nodiscard]] const PlaneChart& plane() const { return plane_; }
  /// Where a point is in this widget, for tests.
  [[nodiscard]] QPoint pointAt(int point) const;
  [[nodiscard]] QSize sizeHint() const override { return {460, 320}; }

 protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }

 private:
  void fitAxes();
  void restyle();

  PlaneChart plane_;
  QLogValueAxis *x_, *y_;
  PlaneOverlay* overlay_ = nullptr;
};

}  // namespace wb
