// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QThreadPool>
#include <filesystem>
#include <memory>
#include <vector>

class QLockFile;

namespace wb {

/// A text that is not saved, kept for the case that the program is killed.
struct JournalEntry {
  /// Document::id.
  QString id;
  /// The file; "" for a text that has none yet.
  QString path;
  QString title;
  QString text;
  int line = 1, column = 1;
  bool operator==(const JournalEntry&) const = default;
};

/// Keeps unsaved texts on disk, in one file each, in a folder of this process that is locked while the
/// process lives. Files are written in the order given, on one background thread.
class Journal {
 public:
  /// `folder` holds one folder per process.
  explicit Journal(std::filesystem::path folder);
  /// Waits for writes that are under way; entries that were not forgotten stay for the next start.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Takes over what processes left behind that were killed. This blocks, so it is not for the UI thread. An
  /// entry stays on disk until it is forgotten.
  [[nodiscard]] std::vector<JournalEntry> recover();
  void write(JournalEntry entry);
  void forget(const QString& id);
  /// Waits until everything is on disk. It is for tests and for the end of the program.
  void flush();

 private:
  bool lock();
  std::filesystem::path fileOf(const QString& id) const;

  std::filesystem::path folder_, own_;
  std::unique_ptr<QLockFile> lock_;
  QThreadPool thread_;
};

}  // namespace wb
