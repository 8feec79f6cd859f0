// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

class QLockFile;

namespace wb {

/// A text that is on disk nowhere else, kept for the next window.
struct JournalEntry {
  /// Document::id.
  QString id;
  /// The file; "" for a text that has none yet.
  QString path;
  QString title;
  /// UTF-8.
  std::string text;
  int line = 1, column = 1;
  /// False for a text that the user has not changed: a sample in a tab.
  bool modified = true;
  bool operator==(const JournalEntry&) const = default;
};

/// Where a tab stands: in one of the groups, or on the left with a second view of it on the right.
enum class TabSide { left, right, both };

/// A tab as it stood.
struct JournalTab {
  /// Document::id, by which a text of the journal is found.
  QString id;
  /// The file; "" for a text that has none.
  QString path;
  int line = 1, column = 1;
  /// Document::environment.
  QString environment;
  TabSide side = TabSide::left;
  /// It was the one that its group showed.
  bool isInFront = false;
  bool operator==(const JournalTab&) const = default;
};

/// What a user has chosen to see of a kernel's assembly.
struct AssemblyChoices {
  bool isShown = false;
  /// The language, function, dtype and architecture; empty where none was chosen.
  QStringList form;
  /// What the margins show, and with what it is compared; "" where nothing was chosen.
  QString counter, comparison;
  /// What is hidden, and "together" where both sides scroll together.
  QStringList filters;
  bool operator==(const AssemblyChoices&) const = default;
};

/// What a window showed.
struct JournalState {
  QList<JournalTab> tabs;
  /// The tab in front.
  int current = 0;
  /// The file of the report that was shown, "" without one, and those of the baselines.
  QString report;
  QStringList baselines;
  /// Nothing in the journal of an earlier version.
  std::optional<AssemblyChoices> assembly{};
  /// The user closed the window; false where the program was killed.
  bool closed = false;
  bool operator==(const JournalState&) const = default;
};

/// What the windows before this one left behind.
struct Recovered {
  std::vector<JournalEntry> entries;
  /// What the last of them showed; nothing without one.
  std::optional<JournalState> state;
  /// One of them was killed.
  bool killed = false;
};

/// Keeps unsaved texts and what the window shows on disk, in one file each, in a folder of this process that
/// is locked while the process lives. Files are written and synced on one background thread; of several
/// states of one file that wait, only the newest is written.
class Journal {
 public:
  /// Told on the background thread when something could not be written, once until it succeeds again.
  using OnFailure = std::function<void(const Error&)>;
  /// `folder` holds one folder per process.
  explicit Journal(std::filesystem::path folder, OnFailure onFailure = {});
  /// Waits for writes that are under way; what was not forgotten stays for the next start.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Takes over what processes left behind that are gone. This blocks, so it is not for the UI thread. An
  /// entry stays on disk until it is forgotten.
  [[nodiscard]] Recovered recover();
  void write(JournalEntry entry);
  void forget(const QString& id);
  void writeState(JournalState state);
  /// Waits until everything is on disk. It is for tests and for the end of the program.
  void flush();

 private:
  struct Found;
  [[nodiscard]] Found readFolder(const std::filesystem::path& folder) const;
  bool lock();
  void schedule();
  void writePending();
  void report(const Result<void>& written);
  std::filesystem::path fileOf(const QString& id) const;

  std::filesystem::path folder_, own_;
  OnFailure onFailure_;
  std::unique_ptr<QLockFile> lock_;
  std::mutex mutex_;
  /// What waits to be written, by id; nothing for what is to be removed.
  QHash<QString, std::optional<JournalEntry>> pending_;
  std::optional<JournalState> pendingState_;
  bool scheduled_ = false;
  /// Used on thread_ only.
  bool failed_ = false;
  QThreadPool thread_;
};

}  // namespace wb
