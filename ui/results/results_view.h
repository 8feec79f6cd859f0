// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

class QAction;
class QIcon;
class QLabel;
class QStackedLayout;
class QTabWidget;

namespace wb {

class CardsView;
class ChartView;
class ProfileView;
class TablePanel;
struct RunFigures;

/// What a run came to: headline cards, the speedup chart, and tables by operator, case and build.
class ResultsView : public QWidget {
  Q_OBJECT
 public:
  /// `profile`: the command that the Profile page offers.
  explicit ResultsView(QAction& profile, QWidget* parent = nullptr);
  void setFigures(const std::shared_ptr<const RunFigures>& figures);

  /// One more table beside the others; shown even before the first run.
  void addTab(QWidget* page, const QIcon& icon, const QString& title);
  void showTab(QWidget* page);
  void showPage(QWidget* page);  ///< the profile, or else the summary

  [[nodiscard]] CardsView& cards() const { return *cards_; }
  [[nodiscard]] ChartView& chart() const { return *chart_; }
  [[nodiscard]] TablePanel& operators() const { return *operators_; }
  [[nodiscard]] TablePanel& cases() const { return *cases_; }
  [[nodiscard]] TablePanel& builds() const { return *builds_; }
  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  [[nodiscard]] QTabWidget& pages() const { return *pages_; }  ///< summary and profile
  [[nodiscard]] ProfileView& profile() const { return *profile_; }

 private:
  QWidget* buildEmptyPage();
  QWidget* buildChartCard();
  void showRow(const std::string& id);

  CardsView* cards_;
  ChartView* chart_;
  QLabel* chartTitle_;
  QLabel* chartEmpty_;
  QWidget* chartScroll_;
  TablePanel *operators_, *cases_, *builds_;
  ProfileView* profile_;
  QTabWidget *tabs_, *pages_;
  QStackedLayout* stack_;
};

}  // namespace wb
