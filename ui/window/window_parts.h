// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/files/paths.h"
#include "core/doctor/doctor.h"
#include "core/runner/remote/check/target_glance.h"
#include "ui/run/run_controller.h"
#include "ui/targets/device_flow.h"
#include "ui/window/idle_preparation.h"
#include "ui/window/questions.h"

class QTabWidget;

namespace wb {

class Actions;
class Banner;
class DetailsView;
class EditorArea;
class Files;
class FindBar;
class LogView;
class ResultsView;
class RunBar;
class Settings;
class StatusLine;
class TablePanel;

/// The parts with which the window is made; tests put in their own.
struct WindowOptions {
  RunController::MakeLauncher makeLauncher = localLauncher;
  RunController::MakePlaces makePlaces = placesOf;
  /// Looks at a target for the list of devices.
  DeviceFlow::Glance glance = glanceAt;
  /// What is prepared while nothing runs; when empty, nothing.
  IdlePreparation::Prepare prepare{};
  std::function<Questions(QWidget&)> questions = dialogs;
  /// Looks at the machine for the welcome page; when empty, it says nothing of it.
  std::function<std::vector<DoctorLine>(const std::stop_token&)> examine = examineMachine;
  std::filesystem::path config = configFolder();
  std::filesystem::path data = dataFolder();
  /// The program and options of clangd; when empty, there is none.
  QStringList clangd{};
  /// The files of the command line, which are opened.
  QStringList files;
};

/// The widgets of a window, for the code that connects them. The window owns them; the last five exist once
/// it was painted.
struct WindowParts {
  Actions* actions = nullptr;
  Settings* settings = nullptr;
  EditorArea* tabs = nullptr;
  Files* files = nullptr;
  RunBar* bar = nullptr;
  Banner* banner = nullptr;
  StatusLine* status = nullptr;
  FindBar* find = nullptr;
  QTabWidget* output = nullptr;
  TablePanel* problems = nullptr;
  LogView* log = nullptr;
  DetailsView* details = nullptr;
  ResultsView* results = nullptr;
};

}  // namespace wb
