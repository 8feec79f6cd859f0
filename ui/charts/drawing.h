// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMarginsF>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/figures/charts/scale.h"
#include "core/figures/figure.h"
#include "ui/style/theme.h"

namespace wb {

/// A part of an axis of time, which can be chosen by itself: of one side's call.
struct Stretch {
  Side owner = Side::candidate;
  double from = 0, to = 0;
  bool operator==(const Stretch&) const = default;
};

/// Where a chart is drawn and which part of it is seen. The window, a saved picture and the clipboard have
/// one each.
struct Canvas {
  const Theme& theme;
  /// The whole chart, and in it the place between the axes.
  QRectF all, plot;
  /// What the axes show.
  Scale x, y;
  /// The height of a row and how far the rows are scrolled; of charts of rows.
  double rowHeight = 0, scrolled = 0;
  int highlighted = -1;
  std::optional<Stretch> chosen = {};

  [[nodiscard]] double atX(double value) const { return plot.left() + x.at(value) * plot.width(); }
  [[nodiscard]] double atY(double value) const { return plot.bottom() - y.at(value) * plot.height(); }
  [[nodiscard]] QPointF at(double valueX, double valueY) const { return {atX(valueX), atY(valueY)}; }
  /// Where a row is; it may be out of sight.
  [[nodiscard]] QRectF row(int index) const {
    return {plot.left(), plot.top() + index * rowHeight - scrolled, plot.width(), rowHeight};
  }
  /// The row at a height; it may be one that does not exist.
  [[nodiscard]] int rowAt(double height) const {
    return rowHeight > 0 ? int((height - plot.top() + scrolled) / rowHeight) : -1;
  }
};

/// How one kind of figure is drawn. It knows no widget: what is zoomed, scrolled and highlighted comes with
/// the canvas. What can be pointed at is a mark, named by its number.
class Drawing {
 public:
  virtual ~Drawing() = default;
  /// The room around the plot for axes, names and legends in a chart of this size.
  [[nodiscard]] virtual QMarginsF margins(QSizeF size) const = 0;
  /// The scales that show everything.
  [[nodiscard]] virtual std::pair<Scale, Scale> home() const = 0;
  [[nodiscard]] virtual bool zoomsX() const { return true; }
  [[nodiscard]] virtual bool zoomsY() const { return false; }
  /// The smallest part of the whole to which one can zoom.
  [[nodiscard]] virtual double closest() const { return 1e-3; }
  /// What a double click on a mark shows, for marks that are looked at in full.
  [[nodiscard]] virtual std::optional<Scale> closeUp(int) const { return std::nullopt; }
  /// How many rows there are, and how high one is in a chart of this size; 0 for charts without rows.
  [[nodiscard]] virtual int rows() const { return 0; }
  [[nodiscard]] virtual double rowHeight(QSizeF) const { return 0; }
  virtual void paint(QPainter& painter, const Canvas& canvas) const = 0;

  [[nodiscard]] virtual int marks() const = 0;
  /// The mark at a place; −1 for none.
  [[nodiscard]] virtual int markAt(QPointF at, const Canvas& canvas) const = 0;
  [[nodiscard]] virtual QRectF markRect(int mark, const Canvas& canvas) const = 0;
  /// What is said of a mark where the pointer rests on it, line by line.
  [[nodiscard]] virtual QString words(int mark) const = 0;
  /// The stretch of time that a mark takes, and the one between two places of the chart; of charts of time.
  [[nodiscard]] virtual std::optional<Stretch> stretchOf(int) const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<Stretch> stretchBetween(QPointF, QPointF, const Canvas&) const {
    return std::nullopt;
  }
  /// The id of the row to which a mark belongs, and the place to which it leads.
  [[nodiscard]] virtual std::string rowId(int) const { return {}; }
  [[nodiscard]] virtual Place place(int) const { return {}; }
};

/// The drawing of a figure that is a chart; null for others. The figure has to outlive it.
[[nodiscard]] std::unique_ptr<Drawing> drawingOf(const Figure& figure);

// What drawings share.

[[nodiscard]] QString qtText(std::string_view text);
/// How many marks an axis has room for.
[[nodiscard]] int mostTicks(double pixels, double perTick);
/// Marks above the plot with their grid lines; the one at `base` is stronger.
void paintTopAxis(QPainter& painter, const Canvas& canvas, std::string_view unit, double base);
/// An interval at one height (or, upright, at one column) between two ends; what is cut off ends in an arrow.
void paintInterval(QPainter& painter, QPointF low, QPointF high, Clipped cut);
/// Whether nothing is there yet.
[[nodiscard]] bool isFree(const QRectF& box, const std::vector<QRectF>& taken);

}  // namespace wb
