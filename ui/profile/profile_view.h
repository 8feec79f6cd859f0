// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

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
class ChartView;
class CodeView;
class OccupancyPanel;
class PlaneView;
class TablePanel;
class TimelineView;
struct CaseFigures;
struct RunFigures;

/// Why a kernel is as fast as it is: advice, metrics beside the reference's, hot lines, roofline, timeline,
/// launches, machine code. Of one profiled case at a time; keeps what it has while other runs come and go.
class ProfileView : public QWidget {
  Q_OBJECT
 public:
  /// `profile`: the command that its button offers.
  explicit ProfileView(QAction& profile, QWidget* parent = nullptr);
  void setFigures(const std::shared_ptr<const RunFigures>& figures);
  void setTarget(const Target& target);  ///< known from the worker's greeting on
  void markLine(int line);               ///< where the editor's caret is; 0: nowhere in this kernel

  [[nodiscard]] std::shared_ptr<const CaseFigures> shown() const { return shown_; }
  [[nodiscard]] bool hasProfile() const { return shown_ != nullptr; }
  [[nodiscard]] QTabWidget& tabs() const { return *tabs_; }
  [[nodiscard]] QComboBox& cases() const { return *cases_; }
  [[nodiscard]] Banner& banner() const { return *banner_; }
  [[nodiscard]] AdviceView& advice() const { return *advice_; }
  [[nodiscard]] TablePanel& metrics() const { return *metrics_; }
  [[nodiscard]] QToolButton& eachKernel() const { return *eachKernel_; }
  [[nodiscard]] TablePanel& hotLines() const { return *hotLines_; }
  [[nodiscard]] TablePanel& launches() const { return *launches_; }
  [[nodiscard]] ChartView& stalls() const { return *stalls_; }
  [[nodiscard]] PlaneView& plane() const { return *plane_; }
  [[nodiscard]] TimelineView& timeline() const { return *timeline_; }
  [[nodiscard]] CodeView& code() const { return *code_; }
  [[nodiscard]] OccupancyPanel& occupancy() const { return *occupancy_; }

 signals:
  void shownChanged();                     ///< another case or newer figures
  void pointed(const wb::Place& place);    ///< to be shown, the focus stays
  void activated(const wb::Place& place);  ///< to be gone to

 private:
  QWidget* buildIntroduction(QAction& profile);
  QWidget* buildBody();
  QWidget* buildHead();
  QWidget* buildLines();
  QWidget* buildRoofline();
  QWidget* buildTimeline();
  QWidget* buildLaunches();
  void connectTables();
  void showCase(std::shared_ptr<const CaseFigures> figures);
  void tellNotes();
  void showMetrics();
  void takeLaunch(const std::string& id);

  std::shared_ptr<const RunFigures> figures_;
  std::shared_ptr<const CaseFigures> shown_;
  Target target_;
  QStackedLayout* stack_;
  QTabWidget* tabs_ = nullptr;
  QComboBox* cases_;
  QLabel *title_, *summary_, *gives_, *rooflineEmpty_, *timelineEmpty_, *stallsEmpty_, *stallsTitle_,
      *timelineTitle_;
  QToolButton *toolbarButton_, *eachKernel_;
  Banner* banner_;
  AdviceView* advice_;
  QWidget* adviceArea_ = nullptr;
  TablePanel *metrics_, *hotLines_, *launches_, *roofline_;
  ChartView* stalls_;
  PlaneView* plane_;
  TimelineView* timeline_;
  CodeView* code_;
  OccupancyPanel* occupancy_;
};

}  // namespace wb
