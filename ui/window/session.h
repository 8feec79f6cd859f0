// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>

#include "ui/editing/journal.h"
#include "ui/editing/journaling.h"

class QMainWindow;

namespace wb {

struct WindowParts;

/// The files of the report that is shown and of the baseline, and the way to show them again.
struct ShownResults {
  std::function<QString()> report, baseline;
  std::function<void(const QString& report, const QString& baseline)> restore;
};

/// What outlives the window, whether it is closed or killed: its size and place, its tabs, every text that
/// was not saved, the results and the baseline.
class Session : public QObject {
  Q_OBJECT
 public:
  Session(QMainWindow& window, const WindowParts& parts, const std::filesystem::path& data);
  void setResults(ShownResults results) { results_ = std::move(results); }
  void restoreShape();
  /// Opens the last window's tabs, with unsaved texts in place of their files, then `files`, and says what
  /// came back. Reads in the background.
  void restore(const QStringList& files);
  /// Shows the last window's results again. Called when the views exist and the tabs are there.
  void restoreResults();
  void save();
  /// The window closes. What is not saved is kept for the next one.
  void end();
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

  QMainWindow& window_;
  const WindowParts& parts_;
  Journal journal_;
  Journaling journaling_;
  ShownResults results_;
  /// The results of the last window until they are shown again.
  QString report_, baseline_;
  QTimer delay_;
  bool restored_ = false, resultsRestored_ = false;
};

}  // namespace wb
