// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <utility>

#include "core/figures/figure.h"

class QChart;

namespace wb {

/// What Qt Charts cannot draw of a plane: tick labels with units, lines and points with their names, none of
/// which covers another. It is placed on the chart's scene through mapToPosition.
class PlaneOverlay : public QGraphicsItem {
 public:
  explicit PlaneOverlay(QChart& chart);
  void setPlane(const PlaneChart& plane);
  void setRange(std::pair<double, double> x, std::pair<double, double> y);
  /// Highlights a point; -1 is none.
  void setHighlighted(int point);
  [[nodiscard]] int highlighted() const { return highlighted_; }
  /// The point below the pointer; -1 when there is none.
  [[nodiscard]] int nearest(QPointF at) const;
  [[nodiscard]] QPointF pointAt(int point) const;
  [[nodiscard]] QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  [[nodiscard]] QPointF map(double x, double y) const;
  void paintAxes(QPainter& painter) const;
  void paintLine(QPainter& painter, const ChartLine& line) const;
  void paintName(QPainter& painter, const ChartLine& line, std::vector<QRectF>& taken) const;
  void paintPoints(QPainter& painter, std::vector<QRectF>& taken) const;

  QChart& chart_;
  PlaneChart plane_;
  std::pair<double, double> x_{1, 10}, y_{1, 10};
  int highlighted_ = -1;
};

}  // namespace wb
