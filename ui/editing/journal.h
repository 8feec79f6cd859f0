// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <memory>
#include <vector>

class QLockFile;

namespace wb {

/// A text that is not saved, as kept for the case that the program is killed.
struct JournalEntry {
  QString id;    ///< Document::id
  QString path;  ///< "" for one that has no file yet
  QString title;
  QString text;
  int line = 1, column = 1;
  bool operator==(const JournalEntry&) const = default;
};

/// Keeps unsaved texts on disk: one file each, in a folder of this process that is locked while it lives.
/// Writes happen in the order given, on one background thread.
class Journal {
 public:
  /// `folder` holds one folder a process.
  explicit Journal(std::filesystem::path folder);
  ~Journal();  ///< waits for writes under way; entries that were not forgotten stay for the next start
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Takes over what processes left behind that did not end well. Blocks: not for the UI thread. An entry
  /// stays on disk until it is forgotten.
  [[nodiscard]] std::vector<JournalEntry> recover();
  void write(JournalEntry entry);
  void forget(const QString& id);
  void flush();  ///< waits until everything is on disk; for tests and the very end

 private:
  bool lock();
  std::filesystem::path fileOf(const QString& id) const;

  std::filesystem::path folder_, own_;
  std::unique_ptr<QLockFile> lock_;
  QThreadPool thread_;
};

}  // namespace wb
