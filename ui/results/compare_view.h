// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

class QAction;
class QLabel;

namespace wb {

class CardsView;
class TablePanel;
struct ComparisonFigures;

/// Shows the present run beside a baseline: who is faster or right in more cases, operator by operator.
class CompareView : public QWidget {
  Q_OBJECT
 public:
  /// The actions become buttons at its top: choose another baseline, pin the present run.
  explicit CompareView(const QList<QAction*>& actions, QWidget* parent = nullptr);
  void setComparison(const ComparisonFigures& comparison);
  /// Shows a baseline without a run to compare with it.
  void setBaseline(const QString& name);
  [[nodiscard]] CardsView& cards() const { return *cards_; }
  [[nodiscard]] TablePanel& operators() const { return *operators_; }
  [[nodiscard]] QString names() const;

 private:
  QLabel* names_;
  CardsView* cards_;
  TablePanel* operators_;
};

}  // namespace wb
