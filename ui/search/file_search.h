// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "editor/search.h"

namespace wb {

/// A match in a file.
struct FoundPlace {
  QString path;
  /// These count from 1; the column counts bytes, as compilers do.
  int line = 0, column = 0;
  /// The line, without the blanks around it.
  QString text;
};

/// What is searched: the sources and texts in a folder and below it. What is hidden, what was built and what
/// is no text is left out, and so are files of more than 2 MB.
struct FileSearchRequest {
  SearchQuery query;
  QString folder;
  /// Texts of open documents by path, which count in place of what is on disk.
  QHash<QString, QString> open;
};

/// Searches in a thread and says what it finds bit by bit. It ends after ten thousand matches.
class FileSearch : public QObject {
  Q_OBJECT
 public:
  static constexpr int mostPlaces = 10000;

  explicit FileSearch(QObject* parent = nullptr);
  ~FileSearch() override;
  /// Ends a search that is under way and begins another one.
  void start(FileSearchRequest request);
  /// What was found stays.
  void cancel();
  [[nodiscard]] bool isRunning() const { return running_; }
  [[nodiscard]] const std::vector<FoundPlace>& found() const { return found_; }
  [[nodiscard]] int filesRead() const { return filesRead_; }

 signals:
  /// More was found, or more files were read.
  void progressed();
  void finished();

 private:
  struct Batch {
    std::vector<FoundPlace> places;
    int filesRead = 0;
    bool last = false;
  };
  static void search(const FileSearchRequest& request, const std::atomic<bool>& stop,
                     const std::function<void(Batch)>& give);
  void take(Batch batch);

  std::shared_ptr<std::atomic<bool>> stop_;
  std::vector<FoundPlace> found_;
  int filesRead_ = 0;
  bool running_ = false;
};

}  // namespace wb
