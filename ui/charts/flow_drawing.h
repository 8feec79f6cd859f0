// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/drawing.h"

namespace wb {

/// Boxes in a grid and what flows between them: the memories of a device.
class FlowDrawing : public Drawing {
 public:
  explicit FlowDrawing(const FlowChart& chart);
  [[nodiscard]] QMarginsF margins(QSizeF size) const override;
  [[nodiscard]] std::pair<Scale, Scale> home() const override { return {{0, 1, false}, {0, 1, false}}; }
  [[nodiscard]] bool zoomsX() const override { return true; }
  [[nodiscard]] bool zoomsY() const override { return true; }
  void paint(QPainter& painter, const Canvas& canvas) const override;
  /// Boxes first, then what flows.
  [[nodiscard]] int marks() const override { return int(chart_.nodes.size() + chart_.links.size()); }
  [[nodiscard]] int markAt(QPointF at, const Canvas& canvas) const override;
  [[nodiscard]] QRectF markRect(int mark, const Canvas& canvas) const override;
  [[nodiscard]] QString words(int mark) const override;

 private:
  /// Whether it goes downwards and not to the right.
  [[nodiscard]] bool isUpright(const Canvas& canvas) const;
  [[nodiscard]] QRectF boxOf(const FlowNode& node, const Canvas& canvas) const;
  void paintNode(QPainter& painter, const Canvas& canvas, int index) const;
  void paintWords(QPainter& painter, const Canvas& canvas, const FlowNode& node, const QRectF& box) const;
  void paintLink(QPainter& painter, const Canvas& canvas, int index) const;

  const FlowChart& chart_;
  /// The grid's size.
  double columns_ = 1, rows_ = 1;
};

}  // namespace wb
