// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "core/figures/figure.h"

class QChart;

namespace wb {

/// Bars that grow from the chart's base on its axis (1×, or 0 where it is plain), with interval whiskers,
/// labels and values, which Qt Charts cannot draw. It is placed on the chart's scene through mapToPosition.
class BarOverlay : public QGraphicsItem {
 public:
  explicit BarOverlay(QChart& chart);
  void setBars(const BarChart& chart);
  /// Sets a logarithmic axis, labelled at from, from·factor and so on.
  void setAxis(double from, double to, double factor);
  /// Sets a plain axis of shares, labelled at every step.
  void setTicks(double from, double to, double step);
  /// Highlights a bar; -1 is none.
  void setHighlighted(int bar);
  [[nodiscard]] int highlighted() const { return highlighted_; }
  /// The bar at a place; -1 beside all bars.
  [[nodiscard]] int barAt(QPointF scenePosition) const;
  [[nodiscard]] QRectF barRect(int bar) const;
  [[nodiscard]] QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double y(int bar) const;
  [[nodiscard]] double rowHeight() const;
  void paintAxis(QPainter& painter) const;
  void paintBar(QPainter& painter, int bar) const;
  void paintLabel(QPainter& painter, double value, const QString& text) const;

  QChart& chart_;
  BarChart bars_;
  double from_ = 1, to_ = 1, factor_ = 2, step_ = 0;
  int highlighted_ = -1;
};

}  // namespace wb
