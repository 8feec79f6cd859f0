// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/model/profile.h"
#include "ui/run/options_panel.h"

class QAction;
class QButtonGroup;
class QCheckBox;
class QLabel;
class QRadioButton;
class QToolButton;

namespace wb {

class Actions;
class Settings;

/// The Profile button, and beside it what it looks at: a panel with the sections, hot lines, the timeline,
/// and the tools of compute-sanitizer.
class ProfileButton : public QWidget {
  Q_OBJECT
 public:
  ProfileButton(Actions& actions, Settings& settings, QWidget* parent = nullptr);
  [[nodiscard]] ProfilePlan plan() const;
  /// Says whether the chosen device is a GPU; without one there is only machine code.
  void setGpu(bool gpu);
  void open();
  [[nodiscard]] QToolButton& button() const { return *button_; }
  [[nodiscard]] QToolButton& more() const { return *more_; }
  [[nodiscard]] QFrame& panel() const { return *panel_; }
  /// The extent: 0 is quick, 1 is all, 2 is these.
  [[nodiscard]] QButtonGroup& extent() const { return *extent_; }
  [[nodiscard]] QCheckBox& lines() const { return *lines_; }
  [[nodiscard]] QCheckBox& timeline() const { return *timeline_; }
  [[nodiscard]] const std::vector<QCheckBox*>& sections() const { return sections_; }

 private:
  void buildPanel(Actions& actions);
  void addExtent(int id, const QString& text, const QString& hint);
  void addSections();
  void addSanitizer(Actions& actions);
  QCheckBox* addCheck(const QString& text, const QString& hint);
  void restore();
  void remember();

  Settings& settings_;
  QAction* profile_;
  QToolButton *button_, *more_;
  OptionsPanel* panel_;
  QButtonGroup* extent_;
  QLabel* why_;
  QCheckBox *lines_ = nullptr, *timeline_ = nullptr;
  std::vector<QCheckBox*> sections_;
  bool gpu_ = false;
};

/// A tool of compute-sanitizer, as Job::sanitizer takes it, with what it finds.
struct SanitizerTool {
  const char *id, *title, *finds;
};
[[nodiscard]] const std::vector<SanitizerTool>& sanitizerChoices();

}  // namespace wb
