// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>

#include "ui/editing/journal.h"
#include "ui/editing/journaling.h"

class QMainWindow;

namespace wb {

struct WindowParts;

/// What outlives the window: its size and place, its tabs, and every text that was not saved.
class Session : public QObject {
  Q_OBJECT
 public:
  Session(QMainWindow& window, const WindowParts& parts, const std::filesystem::path& data);
  void restoreShape();
  /// Opens the last session's tabs, with unsaved texts from the journal in place of their files, then
  /// `files`. Reads in the background and says when it is done.
  void restore(const QStringList& files);
  void save();
  /// The window closes, and every question was answered, so no unsaved text is to come back.
  void end();
  [[nodiscard]] Journaling& journaling() { return journaling_; }
  [[nodiscard]] Journal& journal() { return journal_; }

 signals:
  void restored();

 private:
  struct Remembered;
  void show(Remembered remembered, const QStringList& files);

  QMainWindow& window_;
  const WindowParts& parts_;
  Journal journal_;
  Journaling journaling_;
  QTimer delay_;
  bool restored_ = false;
};

}  // namespace wb
