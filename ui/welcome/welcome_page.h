// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/doctor/doctor.h"
#include "core/history/history.h"
#include "ui/dialogs/gallery.h"

class QGridLayout;
class QLabel;
class QListWidget;
class QPushButton;

namespace wb {

/// Looks at the machine; it runs in a thread and may take seconds.
using Examine = std::function<std::vector<DoctorLine>(const std::stop_token&)>;

/// What stands in the editors' place while no kernel is open: how to begin, samples that run here, files and
/// runs of before, and what this machine can do.
class WelcomePage : public QScrollArea {
  Q_OBJECT
 public:
  /// `runs` is the folder of kept runs. Without `examine` nothing is said of the machine.
  WelcomePage(std::filesystem::path runs, Examine examine, QWidget* parent = nullptr);
  ~WelcomePage() override;
  /// Reads everything again, in the background. The machine is looked at once.
  void refresh(const QStringList& recentFiles, bool hasGpu);
  [[nodiscard]] QListWidget& samples() const { return *samples_; }
  [[nodiscard]] QListWidget& recent() const { return *recent_; }
  [[nodiscard]] QListWidget& runs() const { return *runs_; }
  [[nodiscard]] QPushButton& newButton() const { return *new_; }
  /// What is said of the machine, a line each.
  [[nodiscard]] const QStringList& machineLines() const { return machineLines_; }

 signals:
  void newWanted();
  void openWanted();
  void fileWanted(const QString& path);
  void sampleWanted(const QString& file, const QString& text);
  void runWanted(const QString& reportFile);

 private:
  QWidget* buildPage();
  QListWidget* addList(QLayout& into, const QString& title);
  void showSamples(bool hasGpu);
  void showRecent(const QStringList& files);
  void showRuns(const std::vector<KeptRun>& runs);
  void showMachine(const std::vector<DoctorLine>& lines);
  static void fit(QListWidget& list);

  std::filesystem::path folder_;
  Examine examine_;
  std::stop_source stop_;
  std::vector<GalleryItem> gallery_;
  QListWidget *samples_ = nullptr, *recent_ = nullptr, *runs_ = nullptr;
  QPushButton *new_ = nullptr, *open_ = nullptr;
  QLabel* machineTitle_ = nullptr;
  QGridLayout* machine_ = nullptr;
  QStringList machineLines_;
  bool examined_ = false;
};

}  // namespace wb
