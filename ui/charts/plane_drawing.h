// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/drawing.h"

namespace wb {

/// Points, lines and arrows between two axes. Names stand where they cover no point and no other name.
class PlaneDrawing : public Drawing {
 public:
  explicit PlaneDrawing(const PlaneChart& chart);
  [[nodiscard]] QMarginsF margins(QSizeF size) const override;
  [[nodiscard]] std::pair<Scale, Scale> home() const override { return home_; }
  [[nodiscard]] bool zoomsY() const override { return true; }
  void paint(QPainter& painter, const Canvas& canvas) const override;
  [[nodiscard]] int marks() const override { return int(chart_.points.size()); }
  [[nodiscard]] int markAt(QPointF at, const Canvas& canvas) const override;
  [[nodiscard]] QRectF markRect(int mark, const Canvas& canvas) const override;
  [[nodiscard]] QString words(int mark) const override;
  [[nodiscard]] std::string rowId(int mark) const override { return chart_.points[size_t(mark)].rowId; }

 private:
  [[nodiscard]] double radius() const;
  [[nodiscard]] QPointF pointAt(int point, const Canvas& canvas) const;
  [[nodiscard]] QColor colorOf(const ChartPoint& point, const Theme& theme) const;
  [[nodiscard]] QColor colorOf(const ChartLine& line, const Theme& theme) const;
  void paintAxes(QPainter& painter, const Canvas& canvas) const;
  void paintLine(QPainter& painter, const Canvas& canvas, const ChartLine& line) const;
  void paintArrow(QPainter& painter, const Canvas& canvas, const ChartArrow& arrow) const;
  /// Whether a point is a dot and nothing else.
  [[nodiscard]] bool isPlain(int index, const Canvas& canvas) const;
  void paintCrowd(QPainter& painter, const Canvas& canvas) const;
  void paintPoint(QPainter& painter, const Canvas& canvas, int index) const;
  void paintPointName(QPainter& painter, const Canvas& canvas, int index, std::vector<QRectF>& taken) const;
  void paintLineName(QPainter& painter, const Canvas& canvas, const ChartLine& line,
                     std::vector<QRectF>& taken) const;

  const PlaneChart& chart_;
  std::pair<Scale, Scale> home_;
};

}  // namespace wb
