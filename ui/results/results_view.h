// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

class QAction;
class QIcon;
class QLabel;
class QStackedLayout;
class QTabWidget;

namespace wb {

class CardsView;
class ChartView;
class FigurePanel;
class ProfileView;
class TablePanel;
struct RunFigures;

/// What a run came to: every figure of the summary page, cards and charts above and tables in tabs below.
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
  [[nodiscard]] FigurePanel& panel(std::string_view id) const;  ///< of a figure of the summary
  [[nodiscard]] ChartView& chart() const;
  [[nodiscard]] TablePanel& cases() const;
  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  [[nodiscard]] QTabWidget& pages() const { return *pages_; }  ///< summary and profile
  [[nodiscard]] ProfileView& profile() const { return *profile_; }

 private:
  QWidget* buildEmptyPage();
  QWidget* buildSummary();
  void showRow(const std::string& id);

  CardsView* cards_;
  std::vector<FigurePanel*> panels_;  ///< in the order of the list of figures
  ProfileView* profile_;
  QTabWidget *tabs_, *pages_;
  QStackedLayout* stack_;
};

}  // namespace wb
