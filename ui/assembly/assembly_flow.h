// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <memory>
#include <string>

#include "ui/editing/journal.h"

namespace wb {

class AssemblyView;
class CompareFlow;
class Document;
class KernelEditor;
class RunFlow;
struct CodeListing;
struct WindowParts;

/// Holds a kernel's source and its assembly together: bands of one colour in both, the same line chosen in
/// both, both scrolled alike, and what the margins show.
class AssemblyFlow : public QObject {
  Q_OBJECT
 public:
  AssemblyFlow(const WindowParts& parts, RunFlow& run, CompareFlow& compare, QObject* parent = nullptr);
  /// Called when the views exist.
  void connectViews();
  /// Shows or hides the assembly beside the editor.
  void show(bool shown);
  /// Says whose code the view shows.
  void adopt(const Document& document);
  void goToHot(int by);
  /// What the user has chosen to see, and the same again in a later window, whose results come back too where
  /// `withResults` says so.
  [[nodiscard]] AssemblyChoices choices() const;
  void restore(const AssemblyChoices& choices, bool withResults);
  [[nodiscard]] AssemblyView& view() const { return *view_; }

 private:
  void takeListing();
  void takeFont();
  void takePinned();
  void adoptSource(const CodeListing& listing);
  void watchEditor();
  void paintBands();
  void clearBands();
  void makeRoom();
  void followCaret();
  void followEditor();
  void followPane();
  void point(int line);
  void wantArchitecture(const QString& architecture);
  /// The document whose code is shown; null when it is closed.
  [[nodiscard]] Document* document() const;
  /// Its editor, where it is in front of the user.
  [[nodiscard]] KernelEditor* editor() const;

  const WindowParts& parts_;
  RunFlow& run_;
  CompareFlow& compare_;
  AssemblyView* view_;
  QString document_;
  QPointer<KernelEditor> watched_;
  /// The start of the run for which it was shown by itself.
  std::string shownFor_;
  /// One side is being scrolled because the other one was.
  bool following_ = false;
  /// The next listing is that of the last window, beside which it is shown or not as it was.
  bool isRestoring_ = false;
};

}  // namespace wb
