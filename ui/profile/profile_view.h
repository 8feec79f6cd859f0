// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/compare/earlier.h"
#include "core/figures/profile/call_part.h"
#include "core/model/event.h"
#include "core/model/profile.h"

class QAction;
class QComboBox;
class QStackedLayout;
class QTabWidget;
class QToolButton;

namespace wb {

class AdviceView;
class Banner;
class ElidingLabel;
class FigurePanel;
class FigureSet;
class OccupancyPanel;
class ProfileHead;
class ProfileIntroduction;
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
  /// Sets the runs that every figure is held against.
  void setEarlier(std::vector<Earlier> earlier);
  /// Shows a part of the call alone, with nothing all of it.
  void choosePart(const std::optional<CallPart>& part);
  /// The part that is shown.
  [[nodiscard]] const std::optional<CallPart>& part() const { return part_; }
  /// Whether figures of a part or of earlier runs are being made.
  [[nodiscard]] bool isRefining() const { return shownOf_ != generation_; }

  [[nodiscard]] std::shared_ptr<const CaseFigures> shown() const { return shown_; }
  [[nodiscard]] bool hasProfile() const { return shown_ != nullptr; }
  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  [[nodiscard]] QComboBox& cases() const;
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

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildBody();
  QWidget* buildPartBar();
  void addFigures(const QString& tab, const std::vector<FigurePanel*>& panels);
  void connectTables();
  void showCase(std::shared_ptr<const CaseFigures> figures);
  void tellNotes();
  void refine();
  void showWhole();
  void showFigures(const FigureSet& figures);
  void takeLaunch(const std::string& id);

  std::shared_ptr<const RunFigures> figures_;
  std::shared_ptr<const CaseFigures> shown_;
  std::vector<Earlier> earlier_;
  std::optional<CallPart> part_;
  /// The report that is shown: of a part of the call where one was chosen.
  std::shared_ptr<const Report> report_;
  /// The figures that are shown, and those that were asked for last.
  int shownOf_ = 0, generation_ = 0;
  Target target_;
  QStackedLayout* stack_;
  QTabWidget* tabs_ = nullptr;
  ProfileIntroduction* introduction_;
  ProfileHead* head_;
  QToolButton* eachKernel_;
  Banner* banner_;
  AdviceView* advice_;
  QWidget *adviceArea_ = nullptr, *partBar_ = nullptr;
  ElidingLabel* partText_ = nullptr;
  /// The panels in the order of the list of figures.
  std::vector<FigurePanel*> panels_;
  OccupancyPanel* occupancy_;
};

}  // namespace wb
