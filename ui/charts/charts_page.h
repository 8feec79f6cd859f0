// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/case_key.h"

class QTabWidget;
class QToolButton;

namespace wb {

class ChartView;
class FigurePanel;
struct RunFigures;

/// The charts of a run, one in each tab: speedup by case, by operator and against size, and the samples of
/// the case that is selected.
class ChartsPage : public QWidget {
  Q_OBJECT
 public:
  explicit ChartsPage(QWidget* parent = nullptr);
  void setFigures(const std::shared_ptr<const RunFigures>& figures);
  /// Marks a row of the tables in every chart, and shows the samples of the case if it is one.
  void select(const std::string& rowId);

  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  [[nodiscard]] FigurePanel& panel(std::string_view id) const;
  [[nodiscard]] ChartView& chart(std::string_view id) const;
  [[nodiscard]] QToolButton& sweepButton() const { return *sweep_; }

 signals:
  /// A bar or a point of this row was chosen.
  void picked(const QString& rowId);
  /// The user wants to go to this row.
  void activated(const QString& rowId);
  /// The present kernel is to be run over a sweep of sizes.
  void sweepWanted();

 private:
  void showSamples();

  std::shared_ptr<const RunFigures> figures_;
  OneCase shown_;
  QTabWidget* tabs_;
  std::vector<FigurePanel*> panels_;
  QToolButton* sweep_ = nullptr;
};

}  // namespace wb
