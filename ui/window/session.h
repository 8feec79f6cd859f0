// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "ui/editing/journal.h"
#include "ui/editing/journaling.h"

class QMainWindow;

namespace wb {

class Document;

struct WindowParts;

/// The files of the report that is shown and of the baselines, and the way to show them again.
struct ShownResults {
  std::function<QString()> report;
  std::function<QStringList()> baselines;
  std::function<void(const QString& report, const QStringList& baselines)> restore;
};

/// What is seen of assembly, and the way to see it again.
struct ShownAssembly {
  std::function<AssemblyChoices()> choices;
  std::function<void(const AssemblyChoices&, bool withResults)> restore;
};

/// What outlives the window, whether it is closed or killed: its size and place, its tabs, every text that
/// was not saved, the results and the baselines.
class Session : public QObject {
  Q_OBJECT
 public:
  Session(QMainWindow& window, const WindowParts& parts, const std::filesystem::path& data);
  void setResults(ShownResults results) { results_ = std::move(results); }
  void setAssembly(ShownAssembly assembly) { assembly_ = std::move(assembly); }
  void restoreShape();
  /// Opens the last window's tabs, with unsaved texts in place of their files, then `files`, and says what
  /// came back. Reads in the background.
  void restore(const QStringList& files);
  /// Shows the last window's results again. Called when the views exist and the tabs are there.
  void restoreResults();
  void save();
  /// The same, after a moment in which more may change.
  void saveSoon() { delay_.start(); }
  /// The window closes. What is not saved is kept for the next one.
  void end();
  /// The program ends in a moment although nobody wants it to. Returns when all that is kept is on disk, the
  /// settings after a second at most.
  void keep();
  /// Drops all texts that are not saved, as the user wants it.
  void forgetTexts() { journaling_.forgetAll(); }
  [[nodiscard]] Journaling& journaling() { return journaling_; }
  [[nodiscard]] Journal& journal() { return journal_; }

 signals:
  void restored();

 private:
  struct Remembered;
  void show(Remembered remembered, const QStringList& files);
  void tell(const Remembered& remembered);
  [[nodiscard]] JournalState state(bool closed) const;
  void restoreSides(const QList<std::pair<Document*, JournalTab>>& tabs);
  void keepSplitters(bool restores);

  QMainWindow& window_;
  const WindowParts& parts_;
  Journal journal_;
  Journaling journaling_;
  ShownResults results_;
  ShownAssembly assembly_;
  /// The results of the last window until they are shown again, and what was seen of assembly.
  QString report_;
  QStringList baselines_;
  std::optional<AssemblyChoices> lastAssembly_;
  QTimer delay_;
  bool restored_ = false, resultsRestored_ = false;
};

}  // namespace wb
