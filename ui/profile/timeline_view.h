// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

/// Lanes with what happened in them along one time axis. The wheel zooms at the pointer and dragging moves. A
/// double click shows a span in full, or everything when it is beside all spans. The arrow keys, +, − and 0
/// do the same.
class TimelineView : public QWidget {
  Q_OBJECT
 public:
  explicit TimelineView(QWidget* parent = nullptr);
  void setChart(const TimeChart& chart);
  [[nodiscard]] const TimeChart& chart() const { return chart_; }
  void showAll();
  /// Shows a range, in seconds.
  void showRange(double from, double to);
  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }
  /// Where a span is in this widget.
  [[nodiscard]] QRectF spanRect(std::size_t lane, std::size_t span) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Hit {
    int lane = -1, span = -1;
    bool operator==(const Hit&) const = default;
  };
  [[nodiscard]] double x(double seconds) const;
  [[nodiscard]] double seconds(double x) const;
  [[nodiscard]] int laneHeight() const;
  [[nodiscard]] QRectF laneRect(std::size_t lane) const;
  [[nodiscard]] Hit hitAt(QPointF at) const;
  void zoom(double factor, double around);
  void paintAxis(QPainter& painter) const;
  void paintLane(QPainter& painter, std::size_t lane) const;

  TimeChart chart_;
  /// The end of the last span.
  double end_ = 1;
  double from_ = 0, to_ = 1;
  /// The width of the lanes' names.
  int labels_ = 120;
  Hit hovered_;
  /// The second that was below the pointer when a drag began.
  double draggedFrom_ = 0;
  bool dragging_ = false;
};

}  // namespace wb
