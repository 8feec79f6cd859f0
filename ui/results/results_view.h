// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/verdict/verdict_line.h"

class QAction;
class QIcon;
class QLabel;
class QSplitter;
class QStackedLayout;
class QTabWidget;

namespace wb {

class CardsView;
class ChartView;
class ChartsPage;
class DetailsView;
class FigurePanel;
class ProfileView;
class TablePanel;
class VerdictView;
struct RunFigures;

/// Shows the results of a run: its verdict on one line, and below it cards, tables and the details of the
/// selected row on the summary page, its charts, and the profile. While the next run has nothing to show yet,
/// or when it comes to nothing, the last results stay, greyed.
class ResultsView : public QWidget {
  Q_OBJECT
 public:
  /// `profile` and `assembly` are the commands that the Profile page offers; `runOnly` runs the case whose
  /// details are shown.
  ResultsView(QAction& profile, QAction& assembly, QAction& runOnly, QWidget* parent = nullptr);
  void setFigures(const std::shared_ptr<const RunFigures>& figures);
  /// Says what has changed since the run that is shown.
  void setSinceThen(SinceThen since);
  /// The figures that are shown; those of an earlier run where the last one came to nothing.
  [[nodiscard]] const std::shared_ptr<const RunFigures>& figures() const { return shown_; }

  /// Adds one more table beside the others, which is shown even before the first run.
  void addTab(QWidget* page, const QIcon& icon, const QString& title);
  void showTab(QWidget* page);
  /// Shows the profile, or else the summary.
  void showPage(QWidget* page);
  /// Shows the details of the selected row, even where the user has hidden them, and goes there.
  void showDetails();

  [[nodiscard]] VerdictView& verdict() const { return *verdict_; }
  [[nodiscard]] CardsView& cards() const { return *cards_; }
  /// The panel of a figure of the summary.
  [[nodiscard]] FigurePanel& panel(std::string_view id) const;
  [[nodiscard]] ChartsPage& charts() const { return *charts_; }
  /// The chart of speedups by case.
  [[nodiscard]] ChartView& chart() const;
  [[nodiscard]] TablePanel& cases() const;
  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  /// The pages: summary, charts and profile.
  [[nodiscard]] QTabWidget& pages() const { return *pages_; }
  [[nodiscard]] ProfileView& profile() const { return *profile_; }
  /// The details of the selected row, below its table.
  [[nodiscard]] DetailsView& details() const { return *details_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildEmptyPage();
  QWidget* buildSummary();
  void showRow(const std::string& id);
  void showVerdict();
  void hideDetails();
  void placeDetails();

  /// What is shown, and what came last.
  std::shared_ptr<const RunFigures> shown_, newest_;
  SinceThen since_;
  VerdictView* verdict_;
  CardsView* cards_;
  /// The panels in the order of the list of figures.
  std::vector<FigurePanel*> panels_;
  ChartsPage* charts_;
  ProfileView* profile_;
  DetailsView* details_;
  QSplitter* split_ = nullptr;
  /// The user has hidden the details.
  bool detailsHidden_ = false;
  QTabWidget *tabs_, *pages_;
  QStackedLayout* stack_;
};

}  // namespace wb
