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
  /// Called when the views exist.
  void connectViews();
  void start();
  /// Compiles and checks without timing; says whether that began.
  bool check();
  /// The same with the profile stage after it, for the selected case or the one that takes longest.
  void profile();
  /// Lists the code for an architecture of a GPU, which need not be there.
  void listFor(const std::string& architecture);
  /// Checks once more under compute-sanitizer.
  void sanitize(const std::string& tool);
  /// Runs the selected case of the last run alone: checks and times it as that run did.
  void runOnly();
  void goTo(const Place& place);
  /// The id of the document that runs or ran last.
  [[nodiscard]] QString runDocumentId() const { return document_; }
  void cancel();
  void nextProblem(int by);

 private:
  bool begin(JobRequest request);
  [[nodiscard]] std::vector<std::uint32_t> chosenCases(const JobRequest& request) const;
  void showFigures();
  void showEnd();
  void showWorker();
  void showStarting();
  void showLostConnection();
  void showDetails(const QString& id);
  void showDiagnostics();
  void goToProblem(const QString& id);
  [[nodiscard]] Document* runDocument() const;
  [[nodiscard]] Document* documentToRun() const;
  void openOrigin();

  const WindowParts& parts_;
  RunController& controller_;
  /// The id of the document that runs or ran last.
  QString document_;
  /// The request of the last run, without its kernel.
  JobRequest request_;
  /// The row whose details are shown.
  std::string detailed_;
  /// How many diagnostics of this run the editor shows.
  std::size_t diagnostics_ = 0;
};

}  // namespace wb
