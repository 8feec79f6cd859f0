// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/drawing.h"

namespace wb {

/// Bars that grow from the chart's base, with intervals, their names on the left (or above them, where they
/// are long) and their values in a column on the right.
class BarDrawing : public Drawing {
 public:
  explicit BarDrawing(const BarChart& chart);
  [[nodiscard]] QMarginsF margins(QSizeF size) const override;
  [[nodiscard]] std::pair<Scale, Scale> home() const override { return {scaleOf(chart_), {0, 1, false}}; }
  [[nodiscard]] int rows() const override { return int(chart_.bars.size()); }
  [[nodiscard]] double rowHeight(QSizeF size) const override { return isStacked(size) ? 42 : 26; }
  void paint(QPainter& painter, const Canvas& canvas) const override;
  [[nodiscard]] int marks() const override { return rows(); }
  [[nodiscard]] int markAt(QPointF at, const Canvas& canvas) const override;
  [[nodiscard]] QRectF markRect(int mark, const Canvas& canvas) const override;
  [[nodiscard]] QString words(int mark) const override;
  [[nodiscard]] std::string rowId(int mark) const override { return chart_.bars[size_t(mark)].rowId; }

 private:
  /// Whether names stand above their bars.
  [[nodiscard]] bool isStacked(QSizeF size) const;
  void paintBar(QPainter& painter, const Canvas& canvas, int index) const;

  const BarChart& chart_;
  double labels_ = 0, values_ = 0;
};

}  // namespace wb
