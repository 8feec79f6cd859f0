// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <memory>

#include "ui/style/appearance.h"
#include "ui/window/window_parts.h"

class QStackedWidget;

namespace wb {

class AssemblyFlow;
class CommandPalette;
class CompareFlow;
class DeviceFlow;
class Dock;
class HistoryFlow;
class LiveRun;
class ProfileFlow;
class RunFlow;
class Session;
class VerdictFlow;
class WelcomePage;
class SettingsFlow;

/// The window puts the parts together. What a part does is in the part.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(Appearance& appearance, Settings& settings, WindowOptions options = {});
  ~MainWindow() override;

  /// It was painted once, the result views are made, and the last session is restored.
  [[nodiscard]] bool isReady() const { return built_ && restored_; }
  [[nodiscard]] const WindowParts& parts() const { return parts_; }
  [[nodiscard]] RunController& controller() { return *controller_; }
  [[nodiscard]] Session& session() { return *session_; }
  [[nodiscard]] CommandPalette& palettePopup();
  [[nodiscard]] CompareFlow& comparing() { return *compare_; }
  [[nodiscard]] HistoryFlow& history() { return *history_; }
  [[nodiscard]] AssemblyFlow& assembly() { return *assembly_; }

  void newKernel();
  void exportReport();
  void goToLine();
  void toggleTheme();
  void chooseTheme(ThemeChoice choice);
  void chooseSuiteFile();
  void showSettings();
  void chooseBaseline();
  /// Shows the Results dock with its summary or its profile.
  void showResults(bool profile);

 signals:
  void ready();
  /// It was painted for the first time.
  void painted();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addActions();
  void addFileActions();
  void addEditActions();
  void addRunActions();
  void addViewActions();
  void buildCentre();
  void buildDocks();
  void finishBuilding();
  void findOutOperators();
  void findOutSuites();
  void retheme();
  void checkTheme();
  void updateForDocument();
  void becomeReady();
  QWidget* buildWelcome();

  Appearance& appearance_;
  WindowOptions options_;
  std::unique_ptr<Actions> actions_;
  WindowParts parts_;
  std::unique_ptr<RunController> controller_;
  DeviceFlow* devices_ = nullptr;
  RunFlow* flow_ = nullptr;
  LiveRun* live_ = nullptr;
  VerdictFlow* verdict_ = nullptr;
  ProfileFlow* profiling_ = nullptr;
  CompareFlow* compare_ = nullptr;
  HistoryFlow* history_ = nullptr;
  AssemblyFlow* assembly_ = nullptr;
  Session* session_ = nullptr;
  SettingsFlow* settingsFlow_ = nullptr;
  IdlePreparation* preparation_ = nullptr;
  CommandPalette* palettePopup_ = nullptr;
  WelcomePage* welcome_ = nullptr;
  QStackedWidget* centre_ = nullptr;
  Dock *resultsDock_ = nullptr, *outputDock_ = nullptr;
  bool built_ = false, restored_ = false, closing_ = false, operatorsKnown_ = false;
};

}  // namespace wb
