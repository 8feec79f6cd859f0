// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/figures/figures.h"

class QLabel;

namespace wb {

class ChartView;
class PlaneView;
class TablePanel;
class TimelineView;

/// Shows one figure by its kind: a table, or a chart in a card with its title, or the sentence that says why
/// there is nothing to see.
class FigurePanel : public QWidget {
  Q_OBJECT
 public:
  explicit FigurePanel(const FigureInfo& info, QWidget* parent = nullptr);
  void setFigure(std::shared_ptr<const Figure> figure);
  [[nodiscard]] const FigureInfo& info() const { return info_; }

  // The view for this kind of figure; null for other kinds.
  [[nodiscard]] TablePanel* table() const { return table_; }
  [[nodiscard]] ChartView* bars() const { return bars_; }
  [[nodiscard]] PlaneView* plane() const { return plane_; }
  [[nodiscard]] TimelineView* time() const { return time_; }

 private:
  QWidget* buildCard(QWidget* chart, bool scrolls);
  void show(const Cards&) {}
  void show(const CellMaps&) {}
  void show(const Table&) {}
  void show(const BarChart& chart);
  void show(const PlaneChart& chart);
  void show(const TimeChart& chart);
  template <class Chart>
  void showTitle(const Chart& chart);

  const FigureInfo& info_;
  TablePanel* table_ = nullptr;
  ChartView* bars_ = nullptr;
  PlaneView* plane_ = nullptr;
  TimelineView* time_ = nullptr;
  QLabel *title_ = nullptr, *empty_ = nullptr;
  /// The area that scrolls, or the chart itself.
  QWidget* chart_ = nullptr;
};

}  // namespace wb
