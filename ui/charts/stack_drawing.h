// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/drawing.h"

namespace wb {

/// Stacked shares row by row, and below them what each colour stands for.
class StackDrawing : public Drawing {
 public:
  explicit StackDrawing(const StackChart& chart);
  [[nodiscard]] QMarginsF margins(QSizeF size) const override;
  [[nodiscard]] std::pair<Scale, Scale> home() const override { return {{0, 1, false}, {0, 1, false}}; }
  [[nodiscard]] int rows() const override { return int(chart_.rows.size()); }
  [[nodiscard]] double rowHeight(QSizeF) const override { return 26; }
  void paint(QPainter& painter, const Canvas& canvas) const override;
  [[nodiscard]] int marks() const override { return int(parts_.size()); }
  [[nodiscard]] int markAt(QPointF at, const Canvas& canvas) const override;
  [[nodiscard]] QRectF markRect(int mark, const Canvas& canvas) const override;
  [[nodiscard]] QString words(int mark) const override;
  [[nodiscard]] std::string rowId(int mark) const override;
  [[nodiscard]] Place place(int mark) const override;

 private:
  /// The share of a key (the number of which) in a row; it begins after those before it.
  struct Part {
    std::size_t row = 0, which = 0;
    double from = 0, share = 0;
  };
  [[nodiscard]] int legendColumns(double width) const;
  [[nodiscard]] int legendLines(QSizeF size) const;
  void paintLegend(QPainter& painter, const Canvas& canvas) const;

  const StackChart& chart_;
  std::vector<Part> parts_;
  double labels_ = 0, keys_ = 0;
};

}  // namespace wb
