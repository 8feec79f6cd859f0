// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/model/metrics/occupancy.h"

namespace wb {

/// The occupancy along one of the values on which it depends, as steps, with a mark at the present value.
/// Hovering tells the numbers; a click takes the value below the pointer.
class OccupancyPlot : public QWidget {
  Q_OBJECT
 public:
  explicit OccupancyPlot(QWidget* parent = nullptr);
  void setCurve(const std::function<Occupancy(int)>& at, int low, int high, int step, int now);
  [[nodiscard]] QSize sizeHint() const override { return {140, 110}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {80, 56}; }

 signals:
  void picked(int value);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QRectF area() const;
  /// The nearest point of the curve.
  [[nodiscard]] std::size_t nearest(double x) const;

  std::vector<std::pair<int, double>> curve_;
  int low_ = 0, high_ = 1, now_ = 0;
  double here_ = 0;
};

}  // namespace wb
