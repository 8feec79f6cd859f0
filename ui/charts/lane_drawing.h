// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/drawing.h"

namespace wb {

/// Lanes with what happened in them along one time axis.
class LaneDrawing : public Drawing {
 public:
  explicit LaneDrawing(const TimeChart& chart);
  [[nodiscard]] QMarginsF margins(QSizeF size) const override;
  [[nodiscard]] std::pair<Scale, Scale> home() const override {
    return {{0, end_ * 1.02, false}, {0, 1, false}};
  }
  [[nodiscard]] double closest() const override { return 1e-6; }
  [[nodiscard]] int rows() const override { return int(chart_.lanes.size()); }
  [[nodiscard]] double rowHeight(QSizeF size) const override;
  void paint(QPainter& painter, const Canvas& canvas) const override;
  /// The spans of all lanes, one lane after the other.
  [[nodiscard]] int marks() const override { return int(spans_.size()); }
  [[nodiscard]] int markAt(QPointF at, const Canvas& canvas) const override;
  [[nodiscard]] QRectF markRect(int mark, const Canvas& canvas) const override;
  [[nodiscard]] QString words(int mark) const override;
  [[nodiscard]] std::optional<Scale> closeUp(int mark) const override;
  [[nodiscard]] std::optional<Stretch> stretchOf(int mark) const override;
  [[nodiscard]] std::optional<Stretch> stretchBetween(QPointF a, QPointF b,
                                                      const Canvas& canvas) const override;

 private:
  struct Mark {
    int lane = 0;
    const Span* span = nullptr;
  };
  void paintChosen(QPainter& painter, const Canvas& canvas) const;
  void paintLane(QPainter& painter, const Canvas& canvas, int lane) const;

  const TimeChart& chart_;
  std::vector<Mark> spans_;
  /// Where the marks of each lane begin, and at last the number of all.
  std::vector<int> begins_;
  /// The end of the last span.
  double end_ = 0;
  double labels_ = 60;
};

}  // namespace wb
