// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/figures/figures.h"

class QLabel;

namespace wb {

class ChartView;
class TablePanel;

/// Shows one figure by its kind: a table, or a chart in a card with its title, or the sentence that says why
/// there is nothing to see.
class FigurePanel : public QWidget {
  Q_OBJECT
 public:
  explicit FigurePanel(const FigureInfo& info, QWidget* parent = nullptr);
  void setFigure(std::shared_ptr<const Figure> figure);
  [[nodiscard]] const FigureInfo& info() const { return info_; }

  /// The table; null for a chart.
  [[nodiscard]] TablePanel* table() const { return table_; }
  /// The chart; null for a table.
  [[nodiscard]] ChartView* chart() const { return chart_; }

 private:
  QWidget* buildCard();

  const FigureInfo& info_;
  TablePanel* table_ = nullptr;
  ChartView* chart_ = nullptr;
  QLabel *title_ = nullptr, *empty_ = nullptr, *how_ = nullptr;
};

}  // namespace wb
