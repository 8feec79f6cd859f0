// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace wb {

class CardsView;
class TablePanel;
struct ComparisonFigures;

/// Shows the present run beside a baseline: who is faster or right in more cases, operator by operator where
/// there are several, and case by case against all baselines.
class CompareView : public QWidget {
  Q_OBJECT
 public:
  /// The actions become buttons at its top: choose another baseline, pin the present run.
  explicit CompareView(const QList<QAction*>& actions, QWidget* parent = nullptr);
  /// Offers these baselines; `chosen` is −1 without any.
  void setBaselines(const QStringList& names, int chosen);
  void setComparison(const ComparisonFigures& comparison);
  /// There is no run to compare with the baseline.
  void clearComparison();
  [[nodiscard]] CardsView& cards() const { return *cards_; }
  [[nodiscard]] TablePanel& operators() const { return *operators_; }
  [[nodiscard]] TablePanel& cases() const { return *cases_; }
  [[nodiscard]] QComboBox& baselines() const { return *baselines_; }
  [[nodiscard]] QToolButton& removeButton() const { return *remove_; }

 signals:
  /// The user chose another baseline.
  void chosen(int index);
  /// The user wants to forget the baseline that is chosen.
  void removeWanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// The words beside the buttons' icons go where they would leave no room for the name of the other run.
  void fitHead();

  QHBoxLayout* head_;
  QList<QToolButton*> buttons_;
  QComboBox* baselines_;
  QLabel* present_;
  QToolButton* remove_;
  CardsView* cards_;
  TablePanel *operators_, *cases_;
};

}  // namespace wb
