// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/event.h"
#include "core/model/profile.h"

class QAction;
class QComboBox;
class QLabel;
class QStackedLayout;
class QTabWidget;
class QToolButton;

namespace wb {

class AdviceView;
class Banner;
class ElidingLabel;
class FigurePanel;
class OccupancyPanel;
class TablePanel;
struct CaseFigures;
struct Report;
struct RunFigures;

/// Shows why a kernel is as fast as it is: every figure of the profile page, advice above, the others in tabs
/// by their titles, and the occupancy calculator. It shows one profiled case at a time, and
/// keeps what it has while other runs come and go.
class ProfileView : public QWidget {
  Q_OBJECT
 public:
  /// `profile` and `assembly` are the commands that its buttons offer.
  ProfileView(QAction& profile, QAction& assembly, QWidget* parent = nullptr);
  void setFigures(const std::shared_ptr<const RunFigures>& figures);
  /// Sets the target, which is known from the worker's greeting on.
  void setTarget(const Target& target);
  /// Sets the run from which the arrows of the roofline come; null takes them away.
  void setBaseline(std::shared_ptr<const Report> baseline);

  [[nodiscard]] std::shared_ptr<const CaseFigures> shown() const { return shown_; }
  [[nodiscard]] bool hasProfile() const { return shown_ != nullptr; }
  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  [[nodiscard]] QComboBox& cases() const { return *cases_; }
  [[nodiscard]] Banner& banner() const { return *banner_; }
  [[nodiscard]] AdviceView& advice() const { return *advice_; }
  /// The panel of a figure in a tab.
  [[nodiscard]] FigurePanel& panel(std::string_view id) const;
  [[nodiscard]] TablePanel& table(std::string_view id) const;
  [[nodiscard]] QToolButton& eachKernel() const { return *eachKernel_; }
  [[nodiscard]] OccupancyPanel& occupancy() const { return *occupancy_; }

 signals:
  /// It shows another case or newer figures.
  void shownChanged();
  /// A place is to be shown; the focus stays.
  void pointed(const wb::Place& place);
  /// The user wants to go to a place.
  void activated(const wb::Place& place);

 private:
  QWidget* buildIntroduction(QAction& profile);
  QWidget* buildBody();
  QWidget* buildHead();
  void addFigures(const QString& tab, const std::vector<FigurePanel*>& panels);
  void connectTables();
  void showCase(std::shared_ptr<const CaseFigures> figures);
  void tellNotes();
  void showRoofline();
  void takeLaunch(const std::string& id);

  std::shared_ptr<const RunFigures> figures_;
  std::shared_ptr<const CaseFigures> shown_;
  std::shared_ptr<const Report> baseline_;
  Target target_;
  QStackedLayout* stack_;
  QTabWidget* tabs_ = nullptr;
  QComboBox* cases_;
  ElidingLabel *title_, *summary_;
  QLabel* gives_;
  QToolButton *toolbarButton_, *assemblyButton_, *eachKernel_;
  Banner* banner_;
  AdviceView* advice_;
  QWidget* adviceArea_ = nullptr;
  /// The panels in the order of the list of figures.
  std::vector<FigurePanel*> panels_;
  OccupancyPanel* occupancy_;
};

}  // namespace wb
