// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "core/figures/figure.h"

class QChart;

namespace wb {

/// Bars that grow from the chart's base on its axis (1×, or 0 where it is plain), with interval whiskers,
/// labels and values: what Qt Charts cannot draw. Placed on the chart's scene through mapToPosition.
class BarOverlay : public QGraphicsItem {
 public:
  explicit BarOverlay(QChart& chart);
  void setBars(const BarChart& chart);
  void setAxis(double from, double to, double factor);  ///< labelled at from, from·factor, …
  void setTicks(double from, double to, double step);   ///< of a plain axis of shares
  void setHighlighted(int bar);                         ///< -1: none
  [[nodiscard]] int highlighted() const { return highlighted_; }
  [[nodiscard]] int barAt(QPointF scenePosition) const;  ///< -1 beside all bars
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
