// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/base/error.h"
#include "ui/run/run_controller.h"

namespace wb {

class Document;
struct WindowParts;

/// Carries a run through the window: from the editor's text to the worker, and from its figures to the views.
class RunFlow : public QObject {
  Q_OBJECT
 public:
  RunFlow(const WindowParts& parts, RunController& controller, QObject* parent = nullptr);
  /// The views are there now.
  void connectViews();
  void start();
  /// The same with the profile stage behind it: of the selected case, or of the one that takes longest.
  void profile();
  void sanitize(const std::string& tool);  ///< checks once more under compute-sanitizer
  void goTo(const Place& place);
  [[nodiscard]] QString runDocumentId() const { return document_; }  ///< of the one that runs or ran last
  void cancel();
  void nextProblem(int by);

 private:
  bool begin(JobRequest request);
  [[nodiscard]] std::vector<std::uint32_t> chosenCases(const JobRequest& request) const;
  void showFigures();
  void showEnd();
  void showWorker();
  void showStarting();
  void showDetails(const QString& id);
  void showDiagnostics();
  void goToProblem(const QString& id);
  [[nodiscard]] Document* runDocument() const;

  const WindowParts& parts_;
  RunController& controller_;
  QString document_;             ///< id of the one that runs or ran last
  JobRequest request_;           ///< of the last run, without its kernel
  std::string detailed_;         ///< row whose details are shown
  std::size_t diagnostics_ = 0;  ///< of this run, shown in the editor
};

}  // namespace wb
