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
class CodeView;
class FigurePanel;
class OccupancyPanel;
class TablePanel;
struct CaseFigures;
struct RunFigures;

/// Why a kernel is as fast as it is: every figure of the profile page, advice above, the others in tabs by
/// their titles; machine code and the occupancy calculator. Of one profiled case at a time; keeps what it has
/// while other runs come and go.
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
  [[nodiscard]] FigurePanel& panel(std::string_view id) const;  ///< of a figure in a tab
  [[nodiscard]] TablePanel& table(std::string_view id) const;
  [[nodiscard]] QToolButton& eachKernel() const { return *eachKernel_; }
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
  void addFigures(const QString& tab, const std::vector<FigurePanel*>& panels);
  void connectTables();
  void showCase(std::shared_ptr<const CaseFigures> figures);
  void tellNotes();
  void takeLaunch(const std::string& id);

  std::shared_ptr<const RunFigures> figures_;
  std::shared_ptr<const CaseFigures> shown_;
  Target target_;
  QStackedLayout* stack_;
  QTabWidget* tabs_ = nullptr;
  QComboBox* cases_;
  QLabel *title_, *summary_, *gives_;
  QToolButton *toolbarButton_, *eachKernel_;
  Banner* banner_;
  AdviceView* advice_;
  QWidget* adviceArea_ = nullptr;
  std::vector<FigurePanel*> panels_;  ///< in the order of the list of figures
  CodeView* code_;
  OccupancyPanel* occupancy_;
};

}  // namespace wb
